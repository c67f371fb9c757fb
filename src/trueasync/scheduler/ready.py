"""ReadyQueue: the coroutines that may run now."""

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.ring import Ring


@cython.final
@cython.cclass
class ReadyQueue(Ring):
    """Normal coroutines join at the tail, high-priority ones at the head; all leave there."""

    def __init__(self, order=None):
        self.order = order

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put(self, coroutine: Coroutine) -> cython.int:
        if coroutine.priority == 0:
            return self.push(coroutine)
        return self.push_front(coroutine)

    @cython.cfunc
    def take(self) -> Coroutine:
        if self.order is not None and self.count > 1:
            self.swap_with_head(self.order.choose(self))
        return cython.cast(Coroutine, self.pop())

"""Grace: the time a clean-up has. When it is over, the cancellation comes again at every wait."""

import cython
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.cancel import insist_on_coroutine
from cython.cimports.trueasync.scheduler.children import Children
from cython.cimports.trueasync.scheduler.coroutine import Coroutine


@cython.final
@cython.cclass
class Grace(Listener):
    """Told when its time is over, or when the coroutine it was given to has ended."""

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        if event is not self.timer:
            self.stop()
        elif self.coroutine is not None:
            insist_on_coroutine(self.coroutine)
        elif self.children is not None:
            self.children.insist()
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def stop(self) -> cython.int:
        self.timer.stop()
        self.children = None
        self.coroutine = None
        return 0


@cython.cfunc
def new_grace(
    children: Children | None, coroutine: Coroutine | None, seconds: cython.double
) -> Grace:
    """Insist on `children` or `coroutine` in so many seconds."""
    grace: Grace = Grace.__new__(Grace)
    grace.children = children
    grace.coroutine = coroutine
    if coroutine is not None:
        grace.timer = coroutine.scheduler.reactor.timer(seconds)
        coroutine.add_listener(grace)
    else:
        grace.timer = children.scheduler.reactor.timer(seconds)
    grace.timer.add_listener(grace)
    grace.timer.start()
    return grace

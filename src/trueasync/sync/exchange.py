"""Exchange: one wait at a queue, to put, to get, or for the work on the items to be done."""

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.line import Line, Turn

NOTHING = object()


@cython.cclass
class Exchange(Turn):
    """A wait to put or to get."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def attempt(self) -> cython.int:
        """Fire, if it can be done without a wait."""
        raise NotImplementedError

    @cython.cfunc
    def line_up_in(self, line: Line):
        if not self.locked:
            self.attempt()  # what it waits for may have come since it was looked for
        if not self.fired:
            line.add(self, coroutine_here())
            self.unlock()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def unlock(self) -> cython.int:
        if self.locked:
            self.locked = False
            self.queue.mutex.give_up()
        return 0


@cython.final
@cython.cclass
class Getting(Exchange):
    """A wait for an item."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def attempt(self) -> cython.int:
        item = self.queue.take_now()
        if item is not NOTHING:
            self.fire_with(item, None)
        return 0

    @cython.ccall
    def arm(self):
        self.line_up_in(self.queue.getters)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.queue.put_back(self.value) if self.error is None else 0

    @cython.ccall
    def info(self) -> str:
        return f"an item from {self.queue!r}"


@cython.final
@cython.cclass
class Putting(Exchange):
    """A wait for room."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def attempt(self) -> cython.int:
        if self.queue.offer_now(self.item):
            self.fire_with(None, None)
        return 0

    @cython.ccall
    def arm(self):
        self.line_up_in(self.queue.putters)

    @cython.ccall
    def info(self) -> str:
        return f"room in {self.queue!r}"


@cython.final
@cython.cclass
class Joining(Turn):
    """A wait for the end of the work on every item."""

    @cython.ccall
    def arm(self):
        if self.queue.unfinished_tasks == 0:
            self.fire_with(None, None)
        else:
            self.queue.joiners.add(self, coroutine_here())

    @cython.ccall
    def info(self) -> str:
        return f"the work on {self.queue.unfinished_tasks} items of {self.queue!r}"

"""Turns: one reader, or one writer, at a time; the others wait in the order they came."""

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here, require_scheduler
from cython.cimports.trueasync.sync.line import Line, Turn

CLOSED = object()


@cython.final
@cython.cclass
class Turns:
    """Whose turn it is with one direction of a handle. Not for other threads.

    A request that takes several steps, such as a line or a write that does not fit, keeps its
    turn until it is done. So nobody reads the middle of another's line, or writes there.
    """

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def take(self, what: str, handle) -> cython.int:
        """Have the turn, when it comes; `what handle` is in reports on who waits."""
        if self.taken:
            self.wait(what, handle)
        self.taken = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, what: str, handle) -> cython.int:
        waiting: Waiting = Waiting.__new__(Waiting)
        waiting.turns = self
        waiting.what = what
        waiting.handle = handle
        require_scheduler(what.partition(" ")[0]).wait(waiting)
        if waiting.value is CLOSED:
            raise handle.refusal(what)  # a new one for each: its traceback is its own
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def pass_on(self) -> cython.int:
        """Give the turn to who is next; to be called by who has it."""
        if self.line is not None:
            while self.line.count:
                if self.line.next_but(None).give(None, None):
                    return 0  # it stays taken: nobody can come between
        self.taken = False
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def dismiss(self) -> cython.int:
        """Tell all who wait for their turn that the handle is closed."""
        if self.line is not None:
            while self.line.count:
                self.line.next_but(None).give(CLOSED, None)
        return 0


@cython.final
@cython.cclass
class Waiting(Turn):
    """One wait for a turn."""

    @cython.ccall
    def arm(self):
        turns: Turns = self.turns
        if turns.line is None:
            turns.line = Line()
        turns.line.add(self, coroutine_here())

    @cython.ccall
    def info(self) -> str:
        return f"its turn to {self.what} {self.handle.info()}"

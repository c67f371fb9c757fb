"""Errand: something that one coroutine does for all who need it done."""

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.current import require_scheduler
from cython.cimports.trueasync.scheduler.scheduler import Scheduler


@cython.final
@cython.cclass
class Errand:
    """`if errand.begin(…):` do it, and `end()` it; else somebody has done it meanwhile.

    Not for other threads.
    """

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def begin(self, handle) -> cython.bint:
        """True if it is the caller's to do; else waits for the end of it, and is False."""
        if not self.under_way:
            self.under_way = True
            return True
        if self.end_of_it is None:
            self.end_of_it = ErrandEnd.__new__(ErrandEnd)
            self.end_of_it.what = self.what
            self.end_of_it.handle = handle
        scheduler: Scheduler = require_scheduler("wait")
        scheduler.wait(self.end_of_it)
        return False

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def end(self) -> cython.int:
        """It is done, or has failed: who waited looks for himself."""
        ended: ErrandEnd = self.end_of_it
        self.under_way = False
        self.end_of_it = None
        if ended is not None:
            ended.fire_with(None, None)
        return 0


@cython.final
@cython.cclass
class ErrandEnd(Event):
    """The end of one."""

    @cython.ccall
    def info(self) -> str:
        return f"{self.what} {self.handle.info()}"


@cython.cfunc
def new_errand(what: str) -> Errand:
    errand: Errand = Errand.__new__(Errand)
    errand.what = what
    return errand

"""Semaphore and BoundedSemaphore: permits, for coroutines and native threads together.

Rule of this file: a permit that is given back goes to the first who waits, and is his from
then on; it is free only if nobody waits.
"""

import sys

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.wait import wait_at


@cython.cclass
class Semaphore:
    """As `threading.Semaphore`, first come first served. Safe from any thread."""

    def __cinit__(self):
        self.waiting = new_line(HANDLERS)

    def __init__(self, value: cython.Py_ssize_t = 1):
        if value < 0:
            raise ValueError(f"a semaphore must start with 0 or more permits, not {value}")
        self.permits = value
        self.most = sys.maxsize

    def acquire(self, blocking: cython.bint = True, timeout=None):
        """Take a permit, or wait for one; False if there is none and no `blocking`, or no time.

        Suspends the coroutine while there is none. Safe from any thread.
        """
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if self.take():
            return True
        if not blocking or (timeout is not None and timeout <= 0):
            return False
        return self.wait(timeout)

    def release(self, n: cython.Py_ssize_t = 1):
        """Give `n` permits back, to the first who wait for one. Never suspends.

        Safe from any thread.
        """
        if n < 1:
            raise ValueError(f"a semaphore can be given 1 permit or more back, not {n}")
        self.put(n)

    def __enter__(self):
        return self.take() or self.wait(None)

    def __exit__(self, kind, error, traceback):
        self.put(1)

    @property
    def _value(self):
        return self.permits

    def __repr__(self):
        bound = "" if self.most == sys.maxsize else f"/{self.most}"
        kind = f"trueasync.{type(self).__qualname__}"
        details = f"{self.waiting.count} waiting: value={self.permits}{bound}"
        return f"<{kind} at {id(self):#x}, {details}>"

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def take(self) -> cython.bint:
        if self.permits == 0:
            return False
        self.permits -= 1
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, timeout) -> cython.bint:
        turn: Permit = Permit.__new__(Permit)
        turn.semaphore = self
        return wait_at(turn, timeout)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put(self, permits: cython.Py_ssize_t) -> cython.int:
        turn: Turn
        if permits > self.most - self.permits:
            raise ValueError("Semaphore released too many times")
        self.permits += permits
        while self.permits and self.waiting.count:
            self.permits -= 1
            turn = self.waiting.head()
            if not turn.give(None, None):
                self.permits += 1
        return 0


@cython.cclass
class BoundedSemaphore(Semaphore):
    """As `threading.BoundedSemaphore`: never more free permits than it began with.

    Safe from any thread.
    """

    def __init__(self, value: cython.Py_ssize_t = 1):
        Semaphore.__init__(self, value)
        self.most = value


@cython.final
@cython.cclass
class Permit(Turn):
    """A wait for a permit."""

    @cython.ccall
    def arm(self):
        if self.semaphore.take():
            self.fire_with(None, None)
        else:
            self.semaphore.waiting.add(self, coroutine_here())

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.semaphore.put(1)

    @cython.ccall
    def info(self) -> str:
        return f"a permit of {self.semaphore!r}"

"""Lock: `threading.Lock` for coroutines and native threads together, and fair.

Rules of this file:
1. Whoever releases it hands it to the first in line. It stays held meanwhile, so nobody who
   comes later can overtake.
2. An acquire that does not block lets nobody else run.
"""

from _thread import TIMEOUT_MAX

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.line import THREADS, Line, Turn, new_line
from cython.cimports.trueasync.sync.wait import wait_at, wait_in_thread

LONGEST = cython.declare(cython.double, TIMEOUT_MAX)


@cython.final
@cython.cclass
class Lock:
    """As `threading.Lock`, first come first served, for coroutines and threads together.

    Safe from any thread.
    """

    def acquire(self, blocking: cython.bint = True, timeout: cython.double = -1):
        """Take it, or wait for it; False if it is held and not `blocking`, or not in time.

        Suspends the coroutine while another holds it. Safe from any thread.
        """
        if timeout != -1:
            seconds = seconds_of(blocking, timeout)
            return self.take() or (timeout > 0 and self.wait(seconds))
        return self.take() or (blocking and self.wait(None))

    def release(self):
        """Hand it to the first who waits, or let it be free. Never suspends. Safe from any thread.

        Anybody may release it, not only who acquired it.
        """
        if not self.held:
            raise RuntimeError("release unlocked lock")
        self.give_up()

    def locked(self) -> bool:
        """Whether anybody holds it. Never suspends. Safe from any thread."""
        return self.held

    def __enter__(self):
        return self.take() or self.wait(None)

    def __exit__(self, kind, error, traceback):
        if not self.held:
            raise RuntimeError("release unlocked lock")
        self.give_up()

    def _at_fork_reinit(self):
        self.held = False
        self.owner = None
        self.waiting = None

    def __repr__(self):
        if not self.held:
            return f"<unlocked trueasync.Lock object at {id(self):#x}>"
        details = f"{holder(self.owner)}, {waiters(self.waiting)}"
        return f"<locked trueasync.Lock object {details} at {id(self):#x}>"

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def take(self) -> cython.bint:
        if self.held:
            return False
        self.held = True
        self.owner = coroutine_here()
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, timeout) -> cython.bint:
        turn: Acquiring = Acquiring.__new__(Acquiring)
        turn.lock = self
        return wait_even_at_home(turn, self.owner, timeout)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give_up(self) -> cython.int:
        turn: Turn
        before: Coroutine = self.owner  # noqa: F841 - if it dies, then not in between
        while self.waiting is not None and self.waiting.count:
            turn = self.waiting.head()
            self.owner = turn.owner
            if turn.give(None, None):
                return 0
        self.owner = None
        self.held = False
        return 0


@cython.final
@cython.cclass
class Acquiring(Turn):
    """A wait for a lock."""

    @cython.ccall
    def arm(self):
        owner: Coroutine = coroutine_here()
        lock: Lock = self.lock
        if not lock.held:
            lock.held = True
            lock.owner = owner
            self.fire_with(None, None)
            return
        if lock.waiting is None:
            lock.waiting = new_line(THREADS)
        lock.waiting.add(self, owner)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.lock.give_up()

    @cython.ccall
    def held_up_by(self) -> list:
        # Who waits for his own wants another to release it: so a lock serves as a signal.
        owner: Coroutine = self.lock.owner
        return None if owner is None or owner is self.owner else [owner]

    @cython.ccall
    def info(self) -> str:
        return f"a lock {holder(self.lock.owner)}"


@cython.cfunc
def seconds_of(blocking: cython.bint, timeout: cython.double):
    """A timeout as `threading` takes it, for `wait_at`."""
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if not timeout >= 0:
        raise ValueError(f"a timeout must be a number of seconds, 0 or more, not {timeout}")
    if timeout > LONGEST:
        raise OverflowError(f"a timeout must be at most {LONGEST} seconds, not {timeout}")
    return timeout


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_even_at_home(turn: Turn, owner: Coroutine | None, timeout) -> cython.bint:
    """As `wait_at`, but in a callback or a signal handler it may block the thread.

    Only if another thread can release what is waited for: logging has a lock, too.
    """
    scheduler: Scheduler = scheduler_here()
    if scheduler is None or scheduler.current is not None:
        return wait_at(turn, timeout)
    if owner is not None and owner.scheduler is scheduler:
        return wait_at(turn, timeout)  # which says that nobody can wait here
    return wait_in_thread(turn, timeout)


@cython.cfunc
def holder(owner: Coroutine | None) -> str:
    return "held by a native thread" if owner is None else f"held by {owner.name}"


@cython.cfunc
def waiters(waiting: Line | None) -> str:
    return f"{0 if waiting is None else waiting.count} waiting"

"""Condition: `threading.Condition` for coroutines and native threads together.

Rules of this file:
1. Who waits stands in the line before the lock is let go, so no notification is missed.
2. A notification belongs to who was woken by it. If that one is cancelled meanwhile, `wait`
   still returns, with the lock, and the cancellation comes at the next wait.
"""

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.line import THREADS, Line, Turn, new_line
from cython.cimports.trueasync.sync.lock import Lock
from cython.cimports.trueasync.sync.rlock import RLock
from cython.cimports.trueasync.sync.wait import clock, wait_at

from ..errors import Cancelled

# Whoever is cancelled at every wait gets the lock back after so many, or not at all.
MOST_ATTEMPTS = cython.declare(cython.int, 100)


@cython.cclass
class Condition:
    """As `threading.Condition`; the first who waits is the first who is notified.

    `lock` is a lock of trueasync or of `threading`; an RLock if none is given.
    Safe from any thread.
    """

    def __cinit__(self):
        self.waiting = new_line(THREADS)

    def __init__(self, lock=None):
        self.lock = RLock() if lock is None else lock

    # -- its lock -----------------------------------------------------------------------------

    def acquire(self, *args, **kwargs):
        """Acquire its lock, with that one's arguments.

        Suspends the coroutine while another holds it. Safe from any thread.
        """
        return self.lock.acquire(*args, **kwargs)

    def release(self):
        """Release its lock. Never suspends. Safe from any thread."""
        return self.lock.release()

    def __enter__(self):
        return self.lock.__enter__()

    def __exit__(self, *error):
        return self.lock.__exit__(*error)

    def _is_owned(self):
        return self.is_owned()

    def _release_save(self):
        return self.save()

    def _acquire_restore(self, saved):
        self.restore_once(saved)

    def _at_fork_reinit(self):
        self.lock._at_fork_reinit()
        self.waiting = new_line(THREADS)

    # -- waiting and notifying ----------------------------------------------------------------

    def wait(self, timeout=None):
        """Let go of the lock, wait for a notification, and acquire the lock again.

        False if there was none within `timeout` seconds. Suspends the coroutine.
        Safe from any thread.
        """
        if not self.is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        turn: Notice = Notice.__new__(Notice)
        turn.condition = self
        notified = False
        try:
            if timeout is None or timeout > 0:
                notified = wait_at(turn, timeout)
            else:
                turn.saved = self.save()
                turn.released = True
        finally:
            if turn.released:
                self.restore(turn.saved)
        return notified

    def wait_for(self, predicate, timeout=None):
        """Wait until `predicate()` is true; what it returned last, after `timeout` seconds.

        It is called with the lock, at first and after each notification.
        Suspends the coroutine. Safe from any thread.
        """
        result = predicate()
        deadline = None if timeout is None else clock() + timeout
        while not result:
            if deadline is not None:
                timeout = deadline - clock()
                if timeout <= 0:
                    break
            self.wait(timeout)
            result = predicate()
        return result

    def notify(self, n: cython.Py_ssize_t = 1):
        """Wake the first `n` who wait; they go on when they get the lock.

        Never suspends. Safe from any thread.
        """
        if not self.is_owned():
            raise RuntimeError("cannot notify on un-acquired lock")
        self.tell(n)

    def notify_all(self):
        """Wake all who wait. Never suspends. Safe from any thread."""
        self.notify(self.waiting.count)

    def notifyAll(self):
        """The old name of `notify_all`. Never suspends. Safe from any thread."""
        import warnings

        text = "notifyAll() is deprecated, use notify_all() instead"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        self.notify_all()

    def __repr__(self):
        return f"<trueasync.Condition({self.lock!r}), {self.waiting.count} waiting>"

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_owned(self) -> cython.bint:
        if isinstance(self.lock, RLock):
            return cython.cast(RLock, self.lock).is_mine()
        if isinstance(self.lock, Lock):
            return cython.cast(Lock, self.lock).held  # such a lock knows no more
        ask = getattr(self.lock, "_is_owned", None)
        if ask is not None:
            return ask()
        if self.lock.acquire(False):
            self.lock.release()
            return False
        return True

    @cython.cfunc
    def save(self):
        """Let go of the lock, however often it was acquired; what `restore` needs."""
        save = getattr(self.lock, "_release_save", None)
        return self.lock.release() if save is None else save()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def restore_once(self, saved) -> cython.int:
        restore = getattr(self.lock, "_acquire_restore", None)
        if restore is None:
            self.lock.acquire()
        else:
            restore(saved)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def restore(self, saved) -> cython.int:
        """Acquire it again: the caller is in a `with`, and will release it, come what may."""
        thrown = self.try_restore(saved)
        if thrown is None:
            return 0
        coroutine: Coroutine = coroutine_here()
        if coroutine is None:
            raise thrown
        if coroutine.pending is None:
            coroutine.pending = thrown
        return 0

    @cython.cfunc
    def try_restore(self, saved):
        """Acquire the lock; what was thrown meanwhile."""
        thrown = None
        for _ in range(MOST_ATTEMPTS):
            try:
                self.restore_once(saved)
                return thrown
            except (Cancelled, KeyboardInterrupt) as error:
                thrown = error
        raise thrown

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def tell(self, most: cython.Py_ssize_t) -> cython.int:
        turn: Turn
        while most > 0 and self.waiting.count:
            turn = self.waiting.head()
            if turn.give(None, None):
                most -= 1
        return 0


@cython.final
@cython.cclass
class Notice(Turn):
    """A wait for a notification; it lets go of the lock when it starts."""

    @cython.ccall
    def arm(self):
        self.condition.waiting.add(self, coroutine_here())
        try:
            self.saved = self.condition.save()
        except BaseException:
            if self.line is not None:
                self.line.remove(self)
            raise
        self.released = True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.condition.tell(1)

    @cython.ccall
    def info(self) -> str:
        return "a notification of a condition"


@cython.cfunc
def new_condition(lock, waiting: Line) -> Condition:
    """One for those who wait in a line that is another's as well."""
    condition: Condition = Condition.__new__(Condition)
    condition.lock = lock
    condition.waiting = waiting
    return condition

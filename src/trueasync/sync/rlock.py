"""RLock: `threading.RLock` for coroutines and native threads together, and fair.

Its owner is the coroutine that has acquired it, or the native thread if no coroutine runs.
"""

import cython
from cython.cimports.cpython.pythread import PyThread_get_thread_ident
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.line import THREADS, Turn, new_line
from cython.cimports.trueasync.sync.lock import holder, seconds_of, wait_even_at_home, waiters


@cython.cclass
class RLock:
    """As `threading.RLock`, first come first served, for coroutines and threads together.

    Safe from any thread.
    """

    def acquire(self, blocking: cython.bint = True, timeout: cython.double = -1):
        """Take it, once more if it is the owner's; False if not `blocking`, or not in time.

        Suspends the coroutine while another holds it. Safe from any thread.
        """
        if timeout != -1:
            seconds = seconds_of(blocking, timeout)
            return self.take() or (timeout > 0 and self.wait(1, seconds))
        return self.take() or (blocking and self.wait(1, None))

    def release(self):
        """Undo one acquire; the last one hands it to the first who waits, or lets it be free.

        Never suspends. Only for the coroutine or the thread that has acquired it.
        """
        self.leave()

    def locked(self) -> bool:
        """Whether anybody holds it. Never suspends. Safe from any thread."""
        return self.depth > 0

    def __enter__(self):
        return self.take() or self.wait(1, None)

    def __exit__(self, kind, error, traceback):
        self.leave()

    # -- what Condition, and CPython's modules, ask of such a lock -----------------------------

    def _is_owned(self):
        return self.is_mine()

    def _recursion_count(self):
        return self.depth if self.is_mine() else 0

    def _release_save(self):
        if not self.is_mine():
            raise RuntimeError("cannot release un-acquired lock")
        depth: cython.Py_ssize_t = self.depth
        self.give_up()
        return depth

    def _acquire_restore(self, depth: cython.Py_ssize_t):
        if not self.take():
            self.wait(depth, None)
        self.depth = depth

    def _at_fork_reinit(self):
        self.own(None, 0, 0)
        self.waiting = None

    def __repr__(self):
        kind = f"trueasync.{type(self).__qualname__}"
        if self.depth == 0:
            return f"<unlocked {kind} object at {id(self):#x}>"
        details = f"{holder(self.owner)} {self.depth} times, {waiters(self.waiting)}"
        return f"<locked {kind} object {details} at {id(self):#x}>"

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def is_mine(self) -> cython.bint:
        if self.depth == 0:
            return False
        me: Coroutine = coroutine_here()
        if me is not None or self.owner is not None:
            return self.owner is me
        return self.thread == PyThread_get_thread_ident()

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def take(self) -> cython.bint:
        if self.depth == 0:
            self.own(coroutine_here(), PyThread_get_thread_ident(), 1)
            return True
        if self.is_mine():
            self.depth += 1
            return True
        return False

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, depth: cython.Py_ssize_t, timeout) -> cython.bint:
        turn: Entering = Entering.__new__(Entering)
        turn.lock = self
        turn.thread = PyThread_get_thread_ident()
        turn.depth = depth
        return wait_even_at_home(turn, self.owner, timeout)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def own(
        self, owner: Coroutine | None, thread: cython.ulong, depth: cython.Py_ssize_t
    ) -> cython.int:
        # The owner last: what dies with the one before may run a finalizer, which acquires us.
        self.thread = thread
        self.depth = depth
        self.owner = owner
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def leave(self) -> cython.int:
        if not self.is_mine():
            raise RuntimeError("cannot release un-acquired lock")
        if self.depth > 1:
            self.depth -= 1
            return 0
        return self.give_up()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give_up(self) -> cython.int:
        turn: Entering
        before: Coroutine = self.owner  # noqa: F841 - if it dies, then not in between
        while self.waiting is not None and self.waiting.count:
            turn = cython.cast(Entering, self.waiting.head())
            self.own(turn.owner, turn.thread, turn.depth)
            if turn.give(None, None):
                return 0
        return self.own(None, 0, 0)


@cython.final
@cython.cclass
class Entering(Turn):
    """A wait for an RLock."""

    @cython.ccall
    def arm(self):
        owner: Coroutine = coroutine_here()
        lock: RLock = self.lock
        if lock.depth == 0:
            lock.own(owner, self.thread, self.depth)
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
        return None if self.lock.owner is None else [self.lock.owner]

    @cython.ccall
    def info(self) -> str:
        return f"a lock {holder(self.lock.owner)}"

"""Pool: resources that are dear to make, lent to one at a time.

Rules of this file:
1. `total` counts a slot from before its resource is made until after it was destroyed:
   what suspends in between, raises, or is cancelled finds the account right.
2. What becomes free, a resource or a slot, is given to the first who waits, and is his.
   Nobody waits while anything is free, so who comes later overtakes nobody.
3. A resource is in one place: idle, lent, or with whoever makes, checks or destroys it. Who
   is thrown out of that by an error or a cancellation destroys it, and frees the slot.
"""

import sys
from types import GenericAlias

import cython
from cython.cimports.cpython.exc import PyErr_SetObject, PyErr_WriteUnraisable
from cython.cimports.trueasync.reactor.base import ReactorEvent
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.breaker import CircuitBreaker
from cython.cimports.trueasync.sync.health import start_watch
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.loan import NONE_FREE, Loan, Wanting
from cython.cimports.trueasync.sync.wait import wait_at

from ..errors import CircuitOpen, PoolClosed


@cython.final
@cython.cclass
class Pool:
    """Lends what `factory()` makes, to at most `maximum` borrowers at a time, in their order.

    `destroy(resource)` ends one. `check(resource)` looks at each idle one every `check_every`
    seconds. `before_acquire(resource)` sees an idle one before it is lent,
    `before_release(resource)` one that comes back. Where one of these three returns False or
    raises, the resource is destroyed. All of them may wait; errors that reach nobody go to
    `on_error(error)`. `minimum` resources are made at once. A `breaker` keeps borrowers away
    from a service that fails. Safe from any thread.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __cinit__(self):
        self.free = []
        self.waiting = new_line(HANDLERS)

    def __init__(
        self,
        factory,
        *,
        destroy=None,
        minimum: cython.Py_ssize_t = 0,
        maximum: cython.Py_ssize_t = 10,
        check=None,
        check_every: cython.double = 30.0,
        before_acquire=None,
        before_release=None,
        breaker: CircuitBreaker | None = None,
        on_error=None,
    ):
        if maximum < 1 or not 0 <= minimum <= maximum:
            raise ValueError(
                f"a pool needs a maximum of 1 or more, not {maximum}, "
                f"and a minimum between 0 and that, not {minimum}"
            )
        if not check_every > 0:
            raise ValueError(f"check_every must be more than 0 seconds, not {check_every}")
        self.factory = factory
        self.destroy = destroy
        self.minimum = minimum
        self.maximum = maximum
        self.check = check
        self.check_every = check_every
        self.before_acquire = before_acquire
        self.before_release = before_release
        self.breaker = breaker
        self.on_error = on_error
        if minimum:
            self.make_minimum()

    # -- lending ------------------------------------------------------------------------------

    def acquire(self, timeout=None) -> Loan:
        """Borrow a resource: `with pool.acquire() as resource:`, or `.resource` and `.release()`.

        TimeoutError if none is free within `timeout` seconds; `PoolClosed`; `CircuitOpen`.
        What the factory raises, if a new one had to be made.
        Suspends the coroutine while none is free, and in the factory and `before_acquire`.
        Safe from any thread.
        """
        loan: Loan = Loan.__new__(Loan)
        loan.pool = self
        if self.closed:
            raise self.ended()
        if self.breaker is None:
            self.lend(loan, timeout)
            return loan
        loan.ticket = object()
        self.breaker.admit(loan.ticket)
        try:
            self.lend(loan, timeout)
        except BaseException:
            self.breaker.left_early(loan.ticket)
            raise
        return loan

    @property
    def idle(self) -> int:
        """How many resources lie idle."""
        return len(self.free)

    def close(self) -> None:
        """End it: who waits gets `PoolClosed`, what is idle is destroyed, what is lent when it
        comes back.

        Raises what `destroy` raised, when all are destroyed. A second time it does nothing.
        Suspends the coroutine in `destroy`. Safe from any thread.
        """
        self.closed = True
        if self.due is not None:
            self.due.stop()
            self.due = None
        while self.waiting.count:
            self.waiting.head().give(None, self.ended())
        errors: list = []
        while self.free:
            item = self.free.pop()
            try:
                self.destroy_now(item)
            except BaseException as error:
                errors.append(error)
            self.total -= 1
        raise_all(errors)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        """Close it; an error that ends the block is the one that is raised."""
        try:
            self.close()
        except Exception as failure:
            if error is None:
                raise
            self.report(failure)

    def __repr__(self):
        lent = self.total - len(self.free)
        state = "closed, " if self.closed else ""
        counts = f"{len(self.free)} idle, {lent} in use, {self.waiting.count} waiting"
        return f"<Pool of {self.maximum}, {state}{counts}>"

    # -- lending, step by step ----------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def lend(self, loan: Loan, timeout) -> cython.int:
        if self.check is not None:
            self.watch()
        item = self.next_free()
        if item is NONE_FREE and self.total < self.maximum:
            self.total += 1
        elif item is NONE_FREE:
            item = self.wait(timeout)  # or there is a free slot now, and it is ours
        if item is not NONE_FREE and self.before_acquire is not None:
            item = self.prepare(item)
        if item is NONE_FREE:
            item = self.make(loan)
        loan.item = item
        loan.lent = True
        return 0

    @cython.cfunc
    @cython.inline
    def next_free(self):
        return self.free.pop() if self.free else NONE_FREE

    @cython.cfunc
    def wait(self, timeout):
        """What is given to this borrower: a resource, or a slot, which is NONE_FREE."""
        if timeout is not None and timeout <= 0:
            raise TimeoutError(f"no resource is free now in {self!r}")
        turn: Wanting = Wanting.__new__(Wanting)
        turn.pool = self
        if not wait_at(turn, timeout):
            raise TimeoutError(f"no resource was free within {timeout} s in {self!r}")
        if turn.error is not None:
            raise turn.error
        return turn.value

    @cython.cfunc
    def prepare(self, item):
        """`item` if it may be lent; else NONE_FREE, and its slot is still ours."""
        try:
            good = self.before_acquire(item) is not False
        except Exception as error:
            self.report(error)
            good = False
        except BaseException:  # thrown into its wait; nobody knows how far it came
            self.remove(item)
            raise
        if good and not self.closed:
            return item
        if self.closed:
            self.remove(item)
            raise self.ended()
        try:
            self.destroy_quietly(item)
        except BaseException:
            self.free_slot()
            raise
        return NONE_FREE

    @cython.cfunc
    def make(self, loan: Loan | None):
        """A new resource, in a slot that is ours."""
        try:
            item = self.factory()
        except BaseException as error:
            if isinstance(error, Exception):
                self.failure(loan)
            self.free_slot()
            raise
        if self.closed:
            self.remove(item)
            raise self.ended()
        return item

    # -- and back -------------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take_back(self, loan: Loan, item) -> cython.int:
        if self.before_release is not None and not self.closed and not self.is_fit(loan, item):
            self.failure(loan)
            return self.remove(item)
        if self.breaker is not None:
            self.breaker.succeeded(loan.ticket)
        return self.put(item)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_fit(self, loan: Loan, item) -> cython.bint:
        try:
            return self.before_release(item) is not False
        except Exception as error:
            self.report(error)
            return False
        except BaseException:  # thrown into its wait; nobody knows how far it came
            if self.breaker is not None:
                self.breaker.left_early(loan.ticket)
            self.remove(item)
            raise

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put(self, item) -> cython.int:
        """It is free: for the first who waits, or for who comes."""
        turn: Turn
        if self.closed:
            return self.remove(item)
        while self.waiting.count:
            turn = self.waiting.head()
            if turn.give(item, None):
                return 0
        self.free.append(item)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove(self, item) -> cython.int:
        """Destroy it; then its slot is free."""
        try:
            self.destroy_quietly(item)
        finally:
            self.free_slot()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def free_slot(self) -> cython.int:
        turn: Turn
        while self.waiting.count:
            turn = self.waiting.head()
            if turn.give(NONE_FREE, None):
                return 0
        self.total -= 1
        return 0

    # -- errors ---------------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def destroy_quietly(self, item) -> cython.int:
        """Its errors are not those of who borrows, or gives another back."""
        try:
            self.destroy_now(item)
        except Exception as error:
            self.report(error)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def destroy_now(self, item) -> cython.int:
        if self.destroy is not None:
            self.destroy(item)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def failure(self, loan: Loan | None) -> cython.int:
        """What the pool stands for has failed; if that opens the breaker, nobody waits on."""
        if self.breaker is None:
            return 0
        self.breaker.failed(None if loan is None else loan.ticket)
        while self.breaker.tripped and self.waiting.count:
            self.waiting.head().give(None, CircuitOpen("the breaker has opened meanwhile"))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def report(self, error) -> cython.int:
        if self.on_error is not None:
            self.on_error(error)
            return 0
        PyErr_SetObject(type(error), error)
        PyErr_WriteUnraisable(self)
        return 0

    @cython.cfunc
    def ended(self):
        return PoolClosed("the pool has been closed")

    # -- what health.py does with it --------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def watch(self) -> cython.int:
        scheduler: Scheduler = scheduler_here()
        due: ReactorEvent = self.due
        if scheduler is not None and (due is None or due.reactor is not scheduler.reactor):
            self.due = start_watch(self)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def make_minimum(self) -> cython.int:
        try:
            while self.total < self.minimum:
                self.total += 1
                self.put(self.make(None))
        except BaseException:
            try:
                self.close()
            except Exception as error:
                self.report(error)
            raise
        return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def raise_all(errors: list) -> cython.int:
    """One of them, or all as a group; one that was thrown into a wait goes first."""
    for error in errors:
        if not isinstance(error, Exception):
            raise error
    if len(errors) > 1:
        raise exception_group("resources of a pool could not be destroyed", errors)
    if errors:
        raise errors[0]
    return 0


@cython.cfunc
def exception_group(text: str, errors: list):
    if sys.version_info >= (3, 11):
        return ExceptionGroup(text, errors)
    import exceptiongroup

    return exceptiongroup.ExceptionGroup(text, errors)

"""Loan: a resource that was borrowed from a pool; Wanting: the wait for one."""

import warnings
from types import GenericAlias

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.line import Turn
from cython.cimports.trueasync.sync.pool import Pool

NONE_FREE = object()


@cython.final
@cython.cclass
class Loan:
    """A borrowed resource: give it back with `release`, or as a context manager.

    Safe from any thread, but for one at a time.
    """

    __class_getitem__ = classmethod(GenericAlias)

    @property
    def resource(self):
        """What was borrowed; RuntimeError once it has been given back."""
        if not self.lent:
            raise RuntimeError("this resource has been given back to its pool")
        return self.item

    def release(self) -> None:
        """Give it back; the next borrower gets it. Suspends the coroutine in `before_release`."""
        self.pool.take_back(self, self.give_up())

    def discard(self) -> None:
        """It is broken: have it destroyed. Suspends the coroutine in `destroy`."""
        item = self.give_up()
        self.pool.failure(self)
        self.pool.remove(item)

    def __enter__(self):
        return self.resource

    def __exit__(self, kind, error, traceback):
        """As `release`; an error in the block says nothing about the resource."""
        if self.lent:  # not if it was discarded
            self.release()

    def __del__(self):
        if self.lent:
            self.forgotten(self.give_up())

    def __repr__(self):
        return f"<Loan of {self.item!r}>" if self.lent else "<Loan, given back>"

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forgotten(self, item) -> cython.int:
        if self.pool.breaker is not None:
            self.pool.breaker.left_early(self.ticket)
        try:
            warnings.warn(f"{item!r} was not given back to its pool", ResourceWarning, 1)
        finally:
            self.pool.remove(item)
        return 0

    @cython.cfunc
    def give_up(self):
        item = self.resource
        self.lent = False
        self.item = None
        return item


@cython.final
@cython.cclass
class Wanting(Turn):
    """A wait for a free resource, or a free slot."""

    @cython.ccall
    def arm(self):
        pool: Pool = self.pool
        if pool.closed:
            self.fire_with(None, pool.ended())
        elif pool.free:
            self.fire_with(pool.free.pop(), None)
        elif pool.total < pool.maximum:
            pool.total += 1
            self.fire_with(NONE_FREE, None)
        else:
            pool.waiting.add(self, coroutine_here())

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        if self.error is not None:
            return 0
        return self.pool.free_slot() if self.value is NONE_FREE else self.pool.put(self.value)

    @cython.ccall
    def info(self) -> str:
        return f"a free resource in {self.pool!r}"

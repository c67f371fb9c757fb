"""Block: a part of a coroutine's code that can be cancelled by itself.

The body of a scope is one, and what stands below `with timeout(...)` or `with shield()`.
A block absorbs the `Cancelled` that was made for it, and no other (decision 14).
"""

import cython
from cython.cimports.trueasync.events.event import Listener
from cython.cimports.trueasync.scheduler.cancel import settle
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here

from ..errors import UsageError


@cython.cclass
class Block(Listener):
    """One `with` statement of one coroutine, from its beginning to its end."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def open(self, call: str) -> cython.int:
        """The current coroutine enters it."""
        coroutine: Coroutine = coroutine_here()
        if coroutine is None:
            raise UsageError(
                f"`with {call}` works in a coroutine, and none runs here; "
                "inside trueasync.run(main), main and everything it spawns are coroutines"
            )
        if self.coroutine is not None or self.closed:
            raise UsageError(f"this {call} has been entered before; make a new one each time")
        self.coroutine = coroutine
        self.outer = coroutine.inside
        coroutine.inside = self
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close(self, error) -> cython.bint:
        """Its coroutine leaves it, with `error` or None; whether that error ends here.

        Raises the cancellation of a block further out, if that has been asked for meanwhile.
        """
        coroutine: Coroutine = self.coroutine
        if coroutine is None:
            return False  # its coroutine has ended before: it was in a generator
        self.unlink()
        if coroutine is not coroutine_here():
            raise UsageError(
                f"a `with` block of {coroutine.name} was left in another coroutine; "
                "a generator that yields inside such a block must be run in one coroutine"
            )
        if error is None or error is not self.cancellation:
            return False
        self.cancellation = None  # they refer to each other
        if self.covered is not None:
            raise self.covered
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def unlink(self) -> cython.int:
        coroutine: Coroutine = self.coroutine
        inner: Block = coroutine.inside
        self.closed = True
        self.coroutine = None
        if inner is self:
            coroutine.inside = self.outer
        else:
            # Left before one inside it, which a generator has entered: that stays.
            while inner.outer is not self:
                inner = inner.outer
            inner.outer = self.outer
        self.outer = None
        if coroutine.pending is not None and coroutine.pending is self.cancellation:
            coroutine.pending = None  # it is out, without having waited
        if coroutine.extras is not None:
            settle(coroutine)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def cover(self, cancellation, insists: cython.bint) -> cython.int:
        """Its coroutine has to leave a block further out, whose `cancellation` this is."""
        self.covered = cancellation
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forsake(self) -> cython.int:
        """Its coroutine has ended inside it."""
        self.closed = True
        self.coroutine = None
        self.outer = None
        return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def forsake_blocks(coroutine: Coroutine) -> cython.int:
    """It ends inside of some: they were entered by a generator that lives on."""
    block: Block = coroutine.inside
    while block is not None and block.coroutine is coroutine:
        coroutine.inside = block.outer
        block.forsake()
        block = coroutine.inside
    return 0

"""Children: the coroutines of one scope, which are cancelled together and waited for together.

The body of a `with scope()` is their block. A scope that no `with` statement holds is kept
by the children it was made in, as if it were one of them, for as long as anybody runs in it.

Rules of this file:
1. Whoever is in here, its scope is not left: leaving waits until nobody is.
2. A child that fails hands its error over, and all others are cancelled.
3. Going down the tree of scopes takes a list, not recursion: it may be deep.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync._c.python import (
    PyEval_GetFrame,
    trueasync_frame_code,
    trueasync_frame_offset,
)
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.cancel import (
    cancel_block,
    cancel_coroutine,
    insist_on_block,
    insist_on_coroutine,
    keep_off,
    settle,
)
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import coroutine_here, require_scheduler
from cython.cimports.trueasync.scheduler.grace import new_grace
from cython.cimports.trueasync.scheduler.leave import contains, new_all_ended, raise_all

from ..errors import Cancelled, UsageError
from .location import location_of_code


@cython.final
@cython.cclass
class Children(Block):
    """Coroutines that live and end inside one scope. Not for other threads."""

    # -- who is in it -----------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, coroutine: Coroutine) -> cython.int:
        if self.cancelled or self.ended:
            self.refuse()
        if self.count == 0 and self.parent is not None:
            self.parent.hold(self)
        coroutine.inside = self
        link: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), coroutine)
        coroutine.elder = self.last
        coroutine.younger = cython.NULL
        if self.last == cython.NULL:
            self.first = link
        else:
            cython.cast(Coroutine, self.last).younger = link
        self.last = link
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse(self) -> cython.int:
        """Say why nothing can be spawned; who has been cancelled meanwhile hears of that."""
        spawner: Coroutine = coroutine_here()
        if spawner is not None and isinstance(spawner.pending, Cancelled):
            spawner.raise_pending()
        if self.ended:
            raise UsageError(f"{self.where()} has ended; nothing can be spawned into it any more")
        raise UsageError(
            f"nothing can be spawned into {self.where()}: it is cancelled ({self.reason}); "
            "a clean-up that needs coroutines opens a scope of its own"
        )

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def hold(self, lower: Children) -> cython.int:
        """Wait for `lower`, too, and cancel it with the others."""
        if self.cancelled or self.ended:
            self.refuse()
        if self.count == 0 and self.parent is not None:
            self.parent.hold(self)
        if self.lower is None:
            self.lower = set()
        self.lower.add(lower)
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def child_ended(self, coroutine: Coroutine) -> cython.int:
        if coroutine.elder == cython.NULL:
            self.first = coroutine.younger
        else:
            cython.cast(Coroutine, coroutine.elder).younger = coroutine.younger
        if coroutine.younger == cython.NULL:
            self.last = coroutine.elder
        else:
            cython.cast(Coroutine, coroutine.younger).elder = coroutine.elder
        coroutine.elder = coroutine.younger = cython.NULL
        if coroutine.unclaimed:
            self.take_error(coroutine)
        return self.one_less()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def one_less(self) -> cython.int:
        self.count -= 1
        if self.count:
            return 0
        empty: Event = self.empty
        parent: Children = self.parent
        self.empty = None
        if self.grace is not None and self.coroutine is None:
            self.grace.stop()
        if empty is not None:
            empty.fire_with(None, None)
        if parent is not None and self.count == 0:
            parent.lower.discard(self)
            parent.one_less()
        return 0

    @cython.ccall
    def coroutines(self) -> list:
        """Those that live, the oldest first; not those of scopes below. Never suspends."""
        found: list = []
        link: cython.pointer(PyObject) = self.first
        while link != cython.NULL:
            found.append(cython.cast(object, link))
            link = cython.cast(Coroutine, link).younger
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_above(self, coroutine: Coroutine) -> cython.bint:
        """Whether `coroutine` is one of them, or of a scope below: it must not wait for them."""
        block: Block = coroutine.inside
        children: Children
        while block is not None and block.coroutine is coroutine:
            block = block.outer  # the code of the coroutine itself may wait for others
        while block is not None:
            if block is self:
                return True
            if isinstance(block, Children) and block.coroutine is None:
                children = cython.cast(Children, block)
                block = children.parent
            else:
                block = block.outer
        return False

    # -- what went wrong --------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take_error(self, coroutine: Coroutine) -> cython.int:
        """The error of a child is the scope's from now on, unless the handler takes it."""
        error = coroutine.error
        coroutine.claim()
        current: Coroutine = self.scheduler.current
        if self.handler is not None:
            self.scheduler.current = None  # a handler must not suspend
            try:
                if self.handler(coroutine, error):
                    return 0
            except BaseException as failure:
                if failure is not error:
                    failure.__context__ = failure.__context__ or error
                error = failure
            finally:
                self.scheduler.current = current
        return self.fail(error, f"{coroutine.name} raised {type(error).__name__}")

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fail(self, error, reason: str) -> cython.int:
        if self.orphaned:
            self.scheduler.unhandled(error)
        elif not contains(self.failures, error):
            self.failures.append(error)
        return self.cancel(reason)

    def orphan(self):
        """Nobody can wait for them any more, or ask for their errors. Never suspends."""
        failures: list = self.failures
        self.failures = []
        self.orphaned = True
        self.cancel("nobody holds it any more")
        for error in failures:
            self.scheduler.unclaimed(self, error)

    # -- cancelling -------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def cancel(self, reason: str) -> cython.int:
        """Cancel all that is in it and below, and the body, if that has not been done."""
        if self.cancelled or self.ended:
            return 0
        self.cancelled = True
        self.reason = reason
        if not self.leaving:
            cancel_block(self, Cancelled(f"{self.where()} was cancelled: {reason}"))
        return self.cancel_all(reason, False)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def cover(self, cancellation, insists: cython.bint) -> cython.int:
        self.covered = cancellation
        self.cancelled = True
        if self.reason is None:
            self.reason = str(cancellation)
        return self.cancel_all(self.reason, insists)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forsake(self) -> cython.int:
        Block.forsake(self)
        return self.cancel("the coroutine that was in it has ended")

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def cancel_all(self, reason: str, insists: cython.bint) -> cython.int:
        if self.count == 0:
            return 0
        work: list = self.scheduler.cancelling
        if work is not None:
            work.append((self, reason, insists))  # whoever began goes on with this one
            return 0
        self.scheduler.cancelling = work = [(self, reason, insists)]
        children: Children
        try:
            for children, reason, insists in work:
                cancel_each(children, reason, insists)
        finally:
            self.scheduler.cancelling = None
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def insist(self) -> cython.int:
        """The grace is over: they are cancelled at every wait."""
        self.cancel_all(self.reason, True)
        return insist_on_block(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give_grace(self, seconds: cython.double) -> cython.int:
        if self.grace is not None:
            self.grace.stop()
        self.grace = new_grace(self, None, seconds)
        return 0

    # -- the end ------------------------------------------------------------------------------

    @cython.cfunc
    def emptied(self) -> Event:
        """Fires when the last of them has ended."""
        if self.empty is None:
            self.empty = new_all_ended(self)
        return self.empty

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave_body(self, error) -> cython.bint:
        """The body has ended, with `error` or None: wait for all; whether the error ends here.

        Raises what went wrong, as one group.
        """
        coroutine: Coroutine = self.coroutine
        if coroutine is None or coroutine is not coroutine_here():
            self.cancel("its coroutine has ended")
            return self.close(error)
        own = self.cancellation
        self.leaving = True
        if coroutine.pending is not None and coroutine.pending is own:
            coroutine.pending = None
        if self.insists:
            self.insists = False
            settle(coroutine)
        if error is not None and error is not own:
            self.cancel(f"its body raised {type(error).__name__}")
        interruptions: list = self.wait_for_all() if self.count else []
        covered = self.covered
        self.ended = True
        self.unlink()
        if self.grace is not None:
            self.grace.stop()
        self.cancellation = self.covered = None
        if error is None or error is not own:
            covered = None  # it was swallowed in the body, or is on its way
            if error is None and not interruptions and not self.failures:
                return False
        return raise_all(self, coroutine, error, own, interruptions, covered)

    @cython.cfunc
    def wait_for_all(self) -> list:
        """Wait until the last has ended, whatever happens; what was thrown meanwhile."""
        coroutine: Coroutine = self.coroutine
        interruptions: list = []
        while self.count:
            try:
                self.scheduler.wait(self.emptied())
            except BaseException as error:
                if not contains(interruptions, error):
                    interruptions.append(error)
                self.cancel(f"its coroutine was interrupted by {type(error).__name__}")
                if not self.shields:
                    # It has heard: to be told at every wait would end nobody sooner.
                    self.shields = True
                    keep_off(coroutine)
        if self.shields:
            self.shields = False
            coroutine.extras.shields -= 1
        return interruptions

    @cython.ccall
    def where(self) -> str:
        """Which scope this is, in words. Never suspends."""
        name = "the scope" if self.name is None else f"scope {self.name}"
        return f"{name} at {location_of_code(self.made_code, self.made_offset)}"


@cython.cfunc
@cython.exceptval(-1, check=False)
def cancel_each(children: Children, reason: str, insists: cython.bint) -> cython.int:
    coroutine: Coroutine
    lower: Children
    text: str = f"{children.where()} was cancelled: {reason}"
    for coroutine in children.coroutines():
        cancel_coroutine(coroutine, Cancelled(text), False)
        if insists:
            insist_on_coroutine(coroutine)
    if children.lower is not None:
        for lower in list(children.lower):
            lower.cancelled = True
            if lower.reason is None:
                lower.reason = reason
            lower.cancel_all(reason, insists)
    return 0


@cython.cfunc
def new_children(name, handler) -> Children:
    """Children of a scope that is made where the innermost Python frame is."""
    children: Children = Children.__new__(Children)
    children.scheduler = require_scheduler("scope")
    children.name = name
    children.handler = handler
    children.failures = []
    current: Coroutine = children.scheduler.current
    if current is not None:
        children.parent = children_around(current.inside)
    frame = PyEval_GetFrame()
    if frame != cython.NULL:
        children.made_code = trueasync_frame_code(frame)
        children.made_offset = trueasync_frame_offset(frame)
    return children


@cython.cfunc
def children_around(block: Block | None) -> Children:
    """The innermost children around a place in a coroutine's code, or None."""
    while block is not None and not isinstance(block, Children):
        block = block.outer
    return cython.cast(Children, block)

"""Leaving a scope: the wait for its children, and what is raised when all have ended."""

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.children import Children
from cython.cimports.trueasync.scheduler.coroutine import Coroutine

from .groups import new_group

# These say what they want by their type: they are not to be hidden in a group.
BARE = (KeyboardInterrupt, SystemExit, GeneratorExit)


@cython.final
@cython.cclass
class AllEnded(Event):
    """The end of the last coroutine of a scope."""

    @cython.ccall
    def info(self) -> str:
        return f"the {self.children.count} in {self.children.where()}"

    @cython.ccall
    def held_up_by(self) -> list:
        found: list = []
        children: Children
        below: list = [self.children]
        for children in below:
            found += children.coroutines()
            if children.lower is not None:
                below.extend(children.lower)
        return found


@cython.cfunc
def new_all_ended(children: Children) -> Event:
    event: AllEnded = AllEnded.__new__(AllEnded)
    event.children = children
    return event


@cython.cfunc
@cython.exceptval(-1, check=False)
def raise_all(
    children: Children, coroutine: Coroutine, error, own, interruptions: list, covered
) -> cython.bint:
    """The end of a `with scope()`: raise what there is to raise; whether `error` ends here."""
    failures: list = children.failures
    children.failures = []
    bare = None
    for one in [error, *interruptions]:
        if one is None or one is own:
            continue
        if is_asked_from_outside(coroutine, one):
            covered = one  # the later, the further out
        elif isinstance(one, BARE):
            bare = one
        elif not contains(failures, one):
            failures.append(one)
    group = new_group(f"errors in {children.where()}", failures) if failures else None
    if bare is not None:
        bare.__cause__ = group or bare.__cause__
    elif group is not None:
        raise group from None
    outcome = covered if bare is None else bare
    if outcome is not None and outcome is not error:
        raise outcome
    return error is not None and outcome is None


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_asked_from_outside(coroutine: Coroutine, error) -> cython.bint:
    """Whether `error` is the cancellation of a block the coroutine is still in, or of itself."""
    block: Block = coroutine.inside
    if coroutine.extras is not None and error is coroutine.extras.cancellation:
        return True
    while block is not None and block.coroutine is coroutine:
        if error is block.cancellation:
            return True
        block = block.outer
    return False


@cython.cfunc
@cython.exceptval(-1, check=False)
def contains(errors: list, error) -> cython.bint:
    for one in errors:  # noqa: SIM110 - `any` would need a generator
        if one is error:
            return True
    return False

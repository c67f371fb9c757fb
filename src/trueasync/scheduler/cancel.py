"""Cancelling: who is asked to leave what, and when that is thrown.

A coroutine's code is a chain of blocks, one in another (block.py); around them all is the
coroutine itself. Each of these can be asked to end.

Rules of this file (decision 14):
1. It is thrown at a wait, the one the coroutine is in or else its next, and once.
2. To leave a block is to leave those inside it: they are not asked any more. Being asked to
   leave one further out, later, is news and is thrown.
3. A shield keeps off what comes from outside of it, until it is left.
4. Whoever insists, because the grace is over, throws again at every wait.
"""

import cython
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.coroutine import DONE, NEW, Coroutine
from cython.cimports.trueasync.scheduler.extras import Extras

from ..errors import Cancelled

# -- asking ----------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(-1, check=False)
def cancel_coroutine(coroutine: Coroutine, cancellation, again: cython.bint) -> cython.bint:
    """Ask it to end, unless it has been asked; False if it has ended.

    `again` is for the end of a run: what it has is thrown once more, and no shield helps.
    """
    if coroutine.stage == DONE:
        return False
    extras: Extras = coroutine.need_extras()
    if extras.cancellation is None:
        extras.cancellation = cancellation
    elif not again:
        return True
    if coroutine.stage == NEW:
        coroutine.finish(None, extras.cancellation)  # it never runs
    elif again:
        deliver(coroutine, None, extras.cancellation, False)
    else:
        ask(coroutine, None, cancellation, False)
    return True


@cython.cfunc
@cython.exceptval(-1, check=False)
def cancel_block(block: Block, cancellation) -> cython.bint:
    """Ask the coroutine inside `block` to leave it; False if it had to leave it already."""
    if block.coroutine is None or block.cancellation is not None or block.covered is not None:
        return False
    block.cancellation = cancellation
    ask(block.coroutine, block, cancellation, False)
    return True


@cython.cfunc
@cython.exceptval(-1, check=False)
def insist_on_coroutine(coroutine: Coroutine) -> cython.int:
    """From now on throw its cancellation at each of its waits, outside of shields."""
    if coroutine.stage == DONE or coroutine.extras.cancellation is None:
        return 0
    coroutine.extras.insists = True
    return ask(coroutine, None, coroutine.extras.cancellation, True)


@cython.cfunc
@cython.exceptval(-1, check=False)
def insist_on_block(block: Block) -> cython.int:
    """From now on throw its cancellation at each wait inside `block`, outside of shields."""
    if block.coroutine is None or block.cancellation is None or block.covered is not None:
        return 0
    block.insists = True
    return ask(block.coroutine, block, block.cancellation, True)


@cython.cfunc
@cython.exceptval(-1, check=False)
def ask(
    coroutine: Coroutine, block: Block | None, cancellation, insists: cython.bint
) -> cython.int:
    """Deliver the cancellation of `block`, or without one of the whole, as far as shields let."""
    shield: Block = None
    if coroutine.extras is not None and coroutine.extras.shields:
        shield = outermost_shield(coroutine, block)
    if shield is None:
        return deliver(coroutine, block, cancellation, insists)
    # The rest follows when the shield is left: see settle().
    return cover(coroutine, shield, block, cancellation, insists)


@cython.cfunc
@cython.exceptval(-1, check=False)
def deliver(
    coroutine: Coroutine, block: Block | None, cancellation, insists: cython.bint
) -> cython.int:
    if insists:
        coroutine.need_extras().insisted = cancellation
    if coroutine.pending is not None and not isinstance(coroutine.pending, Cancelled):
        coroutine.need_extras()  # Ctrl-C comes first: see settle()
    else:
        if block is None:
            coroutine.extras.delivered = True
        else:
            block.delivered = True
        # First of all: the end of others must not be what its wait was won by.
        coroutine.throw(cancellation)
    return cover(coroutine, coroutine.inside, block, cancellation, insists)


@cython.cfunc
def outermost_shield(coroutine: Coroutine, until: Block | None) -> Block:
    """The outermost shield inside `until`, or None."""
    found: Block = None
    block: Block = coroutine.inside
    while block is not None and block is not until and block.coroutine is coroutine:
        if block.shields:
            found = block
        block = block.outer
    return found


@cython.cfunc
@cython.exceptval(-1, check=False)
def cover(
    coroutine: Coroutine,
    first: Block | None,
    until: Block | None,
    cancellation,
    insists: cython.bint,
) -> cython.int:
    """Tell the blocks from `first` outwards that one around them, `until`, has to be left."""
    block: Block = first
    while block is not None and block is not until and block.coroutine is coroutine:
        block.cover(cancellation, insists)
        block = block.outer
    return 0


# -- what was kept back ------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(-1, check=False)
def settle(coroutine: Coroutine) -> cython.int:
    """A shield or a block was left, or something raised: let come what that kept back."""
    extras: Extras = coroutine.extras
    found: Block = None
    block: Block = coroutine.inside
    extras.insisted = None
    while block is not None and block.coroutine is coroutine and not block.shields:
        if block.cancellation is not None:
            if not block.delivered:
                found = block
            if block.insists:
                extras.insisted = block.cancellation
        block = block.outer
    if block is None or block.coroutine is not coroutine:
        # No shield around it.
        if extras.insists:
            extras.insisted = extras.cancellation
        if extras.cancellation is not None and not extras.delivered:
            return deliver(coroutine, None, extras.cancellation, extras.insists)
    if found is not None:
        return deliver(coroutine, found, found.cancellation, found.insists)
    if coroutine.pending is None:
        coroutine.pending = extras.insisted
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def keep_off(coroutine: Coroutine) -> cython.int:
    """It has entered a shield: what was on its way comes later."""
    extras: Extras = coroutine.need_extras()
    extras.shields += 1
    extras.insisted = None
    pending = coroutine.pending
    if pending is None:
        return 0
    if pending is extras.cancellation:
        extras.delivered = False
        coroutine.pending = None
        return 0
    block: Block = coroutine.inside
    while block is not None and block.coroutine is coroutine:
        if block.cancellation is pending:
            block.delivered = False
            coroutine.pending = None
        block = block.outer
    return 0

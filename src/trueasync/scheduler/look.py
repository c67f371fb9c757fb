"""look: what there is to see of a coroutine and of a run, at one moment.

Nothing here lets go of the GIL before it has seen everything, so any thread may look. What it
hands out are references: text costs time, and is made by whoever wants to read it.
"""

import cython
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.children import Children
from cython.cimports.trueasync.scheduler.context import frames_of
from cython.cimports.trueasync.scheduler.coroutine import READY, WAITING, Coroutine
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.scheduler.waker import Waker

from .coroutine import STATES


def look(coroutine: Coroutine) -> tuple:
    """Its state, the code and offset that spawned it, its frames, and what it waits for.

    The frames are the innermost of its stack, and of each stack that this was started on;
    none while it runs. Never suspends. Safe from any thread.
    """
    frames: list = []
    events: list = []
    waker: Waker = coroutine.waker
    if coroutine.stage in (READY, WAITING):
        frames = frames_of(coroutine.stack, coroutine.scheduler.home)
    if coroutine.stage == WAITING and waker is not None:
        events = [waker.first, waker.second, *(waker.others or ())]
        events = [event for event in events if event is not None]
    return STATES[coroutine.stage], coroutine.spawn_code, coroutine.spawn_offset, frames, events


def scope_of(coroutine: Coroutine) -> Children:
    """The children it is one of; None where it belongs to no scope.

    Never suspends. Safe from any thread.
    """
    block: Block = coroutine.inside
    while block is not None and block.coroutine is coroutine:
        block = block.outer  # its own code
    return cython.cast(Children, block) if isinstance(block, Children) else None


def look_at_scope(children: Children) -> tuple:
    """Its name or None, the code and offset that made it, whether it is cancelled, the
    coroutine in its `with` statement or None, and the children it is held by or None.

    Never suspends. Safe from any thread.
    """
    return (
        children.name,
        children.made_code,
        children.made_offset,
        children.cancelled != 0,
        children.coroutine,
        children.parent,
    )


def heartbeat(scheduler: Scheduler) -> tuple:
    """Something else after each time that somebody has let go of the thread.

    Never suspends. Safe from any thread.
    """
    return scheduler.switches, scheduler.polls, scheduler.turns

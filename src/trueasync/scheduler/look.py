"""look: what there is to see of a coroutine and of a run, at one moment.

Nothing here lets go of the GIL before it has seen everything, so any thread may look. What it
hands out are references: text costs time, and is made by whoever wants to read it.
"""

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


def heartbeat(scheduler: Scheduler) -> tuple:
    """Something else after each time that somebody has let go of the thread.

    Never suspends. Safe from any thread.
    """
    return scheduler.switches, scheduler.polls, scheduler.turns

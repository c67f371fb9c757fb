"""Every run that goes on in this process, by thread: for those who look at it from outside.

Who keeps a frame that may be his own in a variable makes a cycle: none is kept here.
"""

from __future__ import annotations

import sys
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from .coroutine import Coroutine
    from .scheduler import Scheduler

runs: dict[int, Scheduler] = {}  # home.py enters and leaves them here


def all_runs() -> list[tuple[int, Scheduler]]:
    """Each with its thread, that of this thread first. Never suspends. Safe from any thread."""
    living = set(sys._current_frames())  # after a fork, the other threads are gone
    here = get_ident()
    found = [(thread, run) for thread, run in list(runs.items()) if thread in living]
    return sorted(found, key=lambda pair: pair[0] != here)


def frame_of_thread(thread: int) -> FrameType | None:
    """Where that thread is now. Never suspends. Safe from any thread."""
    return sys._current_frames().get(thread)


def frame_of_running(coroutine: Coroutine[Any]) -> FrameType | None:
    """Where one is that has the thread now. Never suspends. Safe from any thread."""
    for thread, run in all_runs():
        if run.current is coroutine:
            return frame_of_thread(thread)
    return None


def name_of_thread(thread: int) -> str:
    """What `threading` calls it; its number, if it has not heard of it. Never suspends."""
    threading = sys.modules.get("threading")  # who made a thread has imported it
    known = getattr(threading, "_active", {}).get(thread)
    return f"thread {known.name if known is not None else thread}"

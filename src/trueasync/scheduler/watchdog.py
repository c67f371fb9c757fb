"""Watchdog: names a coroutine that does not let go of the thread, while it does not.

A native thread looks at the heartbeat of the run, a few times within the limit. The heart is
counters the scheduler keeps anyway: a watched run does nothing that another does not.
"""

from __future__ import annotations

import threading
import time
import traceback
from _thread import get_ident

from .location import PACKAGE, stack_of_frames
from .look import heartbeat
from .runs import frame_of_thread
from .words import to_stderr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scheduler import Scheduler

LOOKS = 4  # within the limit: what is told is late by a quarter of that
REMEDY = "Give such work to a thread: trueasync.offload(function, ...)"


class Watchdog:
    """Watches the run of the thread that makes it, from `start` to `stop`."""

    def __init__(self, scheduler: Scheduler, limit: float) -> None:
        self.scheduler = scheduler
        self.limit = limit
        self.thread = get_ident()
        self.over = threading.Event()
        self.watcher = threading.Thread(target=self.watch, name="trueasync watchdog", daemon=True)
        self.told: dict[str, int] = {}  # how often a place has been held on to

    def start(self) -> None:
        """Begin to watch. Never suspends."""
        self.watcher.start()

    def stop(self) -> None:
        """Watch no more. Never suspends."""
        self.over.set()
        if self.watcher.ident is not None:  # it may not have been started
            self.watcher.join(1.0)  # it may be writing to whoever does not read

    def watch(self) -> None:
        last = None
        since = 0.0
        told = False
        while not self.over.wait(self.limit / LOOKS):
            beat, now = heartbeat(self.scheduler), time.monotonic()
            if beat != last:
                last, since, told = beat, now, False
            elif not told and now - since >= self.limit:
                told = self.tell(beat, now - since)

    def tell(self, beat: object, seconds: float) -> bool:
        """Say who holds the thread, unless the run only waits for the outside world."""
        frames = list(filter(None, [frame_of_thread(self.thread)]))
        try:
            at_home = not frames or frames[0].f_code.co_filename.startswith(PACKAGE)
            stack = ((frame, frame.f_lineno) for frame in stack_of_frames(frames))
            lines = traceback.StackSummary.extract(stack)
        finally:
            frames.clear()
        who = self.who()
        if heartbeat(self.scheduler) != beat or (who is None and at_home):
            return False  # it has let go meanwhile; or the run waits
        if who is None:
            who = "something the scheduler calls (a microtask, an event, a handler)"
        place = f"{lines[-1].filename}:{lines[-1].lineno}" if lines else who
        self.told[place] = times = self.told.get(place, 0) + 1
        if times & (times - 1) == 0:  # the 1st, 2nd, 4th, 8th ... time: never a flood
            to_stderr(self.text(who, seconds, lines, times))
        return True

    def who(self) -> str | None:
        coroutine = self.scheduler.current
        if coroutine is None:
            return None
        return f"{coroutine.name} (spawned at {coroutine.spawn_location})"

    def text(self, who: str, seconds: float, lines: traceback.StackSummary, times: int) -> str:
        ready = self.scheduler.stats()["ready"]
        waiting = f"; {ready:,} ready to run" if ready else ""
        again = f" (here for the {times}th time)" if times > 2 else ""
        title = f"trueasync: {who} has not let go of the thread for {seconds:.2g} s{again}{waiting}"
        return f"{title}\n{''.join(lines.format())}{REMEDY}\n"

"""VirtualReactor: time passes only when everyone waits, and then at once.

Read this first to see what a reactor is: it does all that the scheduler asks of one, and
touches no operating system.
"""

from __future__ import annotations

import heapq
import itertools
import os
import queue
import threading
from collections.abc import Callable, Hashable
from typing import Any, ParamSpec, TypeVar

from ..events.event import Event
from ..reactor.base import Descriptor, Job, Reactor, ReactorEvent
from ..reactor.thread_call import ThreadCall
from ..reactor.trigger import Trigger
from ..reactor.workers import Crew
from ..runtime import run_on
from .scripted import Script, ScriptedDescriptor, ScriptedEvent

__all__ = ["VirtualReactor", "VirtualTimer", "run"]

P = ParamSpec("P")
T = TypeVar("T")
LOOK_AT_THREADS = 0.05  # seconds between two looks whether those are alive that may post


class VirtualTimer(ReactorEvent):
    """Fires when the clock of its reactor has come to its deadline."""

    def __init__(self, reactor: VirtualReactor, delay: float) -> None:
        if not delay >= 0:
            raise ValueError(f"a delay must be 0 or more seconds, not {delay}")
        super().__init__(reactor)
        self.clock = reactor
        self.delay = delay
        self.ticket = 0  # of its place among the timers; 0 while not armed

    def arm(self) -> None:
        super().arm()
        self.ticket = next(self.clock.tickets)
        heapq.heappush(self.clock.timers, (self.clock.now() + self.delay, self.ticket, self))

    def disarm(self) -> None:
        super().disarm()
        self.ticket = 0

    def info(self) -> str:
        return f"a timer of {self.delay:g} s"


class VirtualWork(ReactorEvent):
    """Fires when its reactor has done the job: at the next poll, and in this very thread."""

    def __init__(self, reactor: VirtualReactor, job: Job) -> None:
        super().__init__(reactor)
        self.jobs = reactor.jobs
        self.job = job

    def arm(self) -> None:
        super().arm()
        self.jobs.append(self)

    def disarm(self) -> None:
        super().disarm()
        if self in self.jobs:
            self.jobs.remove(self)

    def perform(self) -> None:
        """Do the job, and fire. Blocks the thread."""
        self.job.perform_here()
        self.job.ended()
        self.fire()

    def info(self) -> str:
        return self.job.info()


class VirtualReactor(Reactor):
    """A clock that stands still while anyone runs, timers, and what a test lets `happen`.

    Not for other threads, but for `post`.
    """

    def __init__(self) -> None:
        self.time = 0.0
        self.timers: list[tuple[float, int, VirtualTimer]] = []
        self.tickets = itertools.count(1)
        self.polls: list[bool] = []  # the `wait` of each poll, for tests of the scheduler
        self.script = Script()
        self.jobs: list[VirtualWork] = []  # for the next poll
        self.posted: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()

    def now(self) -> float:
        return self.time

    def timer(self, delay: float) -> Event:
        return VirtualTimer(self, delay)

    def trigger(self) -> Trigger:
        return Trigger(self)

    def thread(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        crew: Crew | None = None,
    ) -> ThreadCall:
        return ThreadCall(self, function, args, kwargs, crew)

    def event(self, what: str, which: Hashable) -> Event:
        """An event of the outside world: fires with `happen(what, which)`. Never suspends."""
        return ScriptedEvent(self, self.script, what, which)

    def descriptor(self, fd: int) -> Descriptor:
        return ScriptedDescriptor(self, self.script, fd)

    def signal(self, number: int) -> Event:
        return self.event("signal", number)

    def filesystem(self, path: str | os.PathLike[str], recursive: bool = False) -> Event:
        return self.event("filesystem", os.fspath(path))

    def lookup(
        self,
        host: str | bytes | None,
        port: str | bytes | int | None,
        family: int = 0,
        type: int = 0,
        proto: int = 0,
        flags: int = 0,
    ) -> Event:
        return self.event("lookup", (host, port))

    def reverse_lookup(self, address: tuple[Any, ...], flags: int = 0) -> Event:
        return self.event("reverse_lookup", address)

    def process(self, pid: int, reap: bool = True) -> Event:
        return self.event("process", pid)

    def child_change(self, idtype: int, number: int, options: int) -> Event:
        return self.event("child change", (idtype, number, options))

    def work(self, job: Job) -> Event:
        return VirtualWork(self, job)

    def happen(
        self, what: str, which: Hashable, value: Any = None, error: BaseException | None = None
    ) -> int:
        """Let something happen outside: `happen("readable", 5)`; how many that woke.

        One of those who wait for a readiness is woken, and it is remembered if there is none;
        anything else wakes all. Never suspends.
        """
        return self.script.happen(what, which, value, error)

    def post(self, function: Callable[[], object]) -> bool:
        if self.closed:
            return False
        self.posted.put(function)
        return True

    def poll(self, wait: bool) -> None:
        self.polls.append(wait)
        if wait and self.posted.empty() and not self.jobs:
            if self.awaited_calls:
                self.posted.get()()  # what a thread does takes no time
            elif self.has_timer():
                self.time = max(self.time, self.timers[0][0])
            elif self.active:
                self.wait_for_threads()
            else:
                self.wait_for_post()
        while self.jobs:
            self.jobs.pop(0).perform()
        while self.has_timer() and self.timers[0][0] <= self.time:
            heapq.heappop(self.timers)[2].fire()
        while not self.posted.empty():
            self.posted.get()()

    def wait_for_threads(self) -> None:
        """Only another thread can go on from here, if there is one. Blocks the thread."""
        while threading.active_count() > 1:
            if self.wait_for_post():
                return
        raise RuntimeError(
            f"{self.active} events are waited for in virtual time, and no timer and no other "
            "thread is left that could fire them; let them happen() in the test"
        )

    def wait_for_post(self) -> bool:
        """Whether another thread posts something within a moment. Blocks the thread."""
        try:
            first = self.posted.get(timeout=LOOK_AT_THREADS)
        except queue.Empty:
            return False
        first()
        return True

    def close(self) -> None:
        while self.jobs:  # as libuv, which has them done before it lets go
            self.jobs.pop(0).perform()
        super().close()

    def has_timer(self) -> bool:
        """Whether a timer is armed; drops stopped ones off the top. Never suspends."""
        while self.timers and self.timers[0][1] != self.timers[0][2].ticket:
            heapq.heappop(self.timers)
        return bool(self.timers)


def run(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """As `trueasync.run`, in virtual time: an hour of sleep takes no time.

    Blocks the thread; any number of threads may have a run each.
    """
    return run_on(VirtualReactor(), function, args, kwargs)

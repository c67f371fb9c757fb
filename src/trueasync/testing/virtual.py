"""VirtualReactor: time passes only when everyone waits, and then at once.

Read this first to see what a reactor is: it does all that the scheduler asks of one, and
touches no operating system.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..events.event import Event
from ..reactor.base import Reactor, ReactorEvent
from ..runtime import run_on

__all__ = ["VirtualReactor", "VirtualTimer", "run"]

P = ParamSpec("P")
T = TypeVar("T")


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


class VirtualReactor(Reactor):
    """A clock that stands still while anyone runs, and timers. Not for other threads."""

    def __init__(self) -> None:
        self.time = 0.0
        self.timers: list[tuple[float, int, VirtualTimer]] = []
        self.tickets = itertools.count(1)
        self.polls: list[bool] = []  # the `wait` of each poll, for tests of the scheduler

    def now(self) -> float:
        return self.time

    def timer(self, delay: float) -> Event:
        return VirtualTimer(self, delay)

    def poll(self, wait: bool) -> None:
        self.polls.append(wait)
        if wait and self.has_timer():
            self.time = max(self.time, self.timers[0][0])
        while self.has_timer() and self.timers[0][0] <= self.time:
            heapq.heappop(self.timers)[2].fire()

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

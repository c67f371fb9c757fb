"""When the coroutines of a sleeping scenario are due, and whether they woke in that order."""

from __future__ import annotations

import random
from time import perf_counter as clock

from benchmarks.meter import Meter

__all__ = ["Alarms", "clock"]

# Timers of a millisecond's resolution may change places when they lie closer than this.
TOLERANCE = 0.003


class Alarms:
    """Moments of waking in shuffled order, spread over `spread` seconds.

    The first is `settle` seconds away, so that all coroutines sleep before one wakes.
    """

    def __init__(self, coroutines: int, settle: float, spread: float) -> None:
        self.first = clock() + settle
        step = spread / coroutines
        self.moments = [self.first + step * place for place in range(coroutines)]
        random.Random(coroutines).shuffle(self.moments)
        self.woken: list[float] = []

    def all_asleep(self) -> None:
        """To be called when every coroutine sleeps; refuses a measurement that came too late."""
        if clock() >= self.first:
            raise RuntimeError("coroutines were due before all slept; raise `settle`")

    def report(self, meter: Meter) -> None:
        """Count the coroutines, and how many of them woke out of order."""
        if len(self.woken) != len(self.moments):
            raise RuntimeError(f"{len(self.woken)} of {len(self.moments)} coroutines woke")
        meter.count(len(self.woken))
        meter.record(out_of_order=self.out_of_order())

    def out_of_order(self) -> int:
        """How many coroutines woke after one that was due later than they were.

        A few are not the runtime's fault: when the garbage collector runs between a
        coroutine's look at the clock and its sleep, it sleeps too long by that much.
        """
        strays, latest = 0, 0.0
        for moment in self.woken:
            latest = max(latest, moment)
            strays += moment < latest - TOLERANCE
        return strays

"""What the memory of a process looks like when every second coroutine has ended."""

from __future__ import annotations

import gc

from benchmarks.meter import Meter
from benchmarks.process import count_mappings, resident_bytes


class Fragments:
    """Takes notes over identical bursts of coroutines, every second of which ends early."""

    BURSTS = 3  # the first one fills pools and allocators, the later ones shall find all they need

    def __init__(self) -> None:
        self.mappings: list[int] = []
        self.waiting: list[int] = []
        self.ended: list[int] = []

    def half_ended(self) -> None:
        """To be called when every second coroutine has ended and the others still wait."""
        self.mappings.append(count_mappings())
        self.waiting.append(resident_bytes())

    def all_ended(self) -> None:
        """To be called when a whole burst has ended and nothing refers to it any more."""
        gc.collect()  # garbage that was not collected yet is no leak
        self.ended.append(resident_bytes())

    def report(self, meter: Meter) -> None:
        """Record the most mappings, and how the resident memory grew from burst to burst."""
        meter.record(
            mappings=max(self.mappings),
            rss_growth_waiting_percent=growth_percent(self.waiting),
            rss_growth_ended_percent=growth_percent(self.ended),
        )


def growth_percent(sizes: list[int]) -> float:
    """From the second burst to the last.

    Between the first and the second it grows once, by 10 to 15 %: an idle context is smaller
    than a waiting one, and the first burst has no idle ones that leave holes in the heap.
    """
    return (sizes[-1] - sizes[1]) / sizes[1] * 100

"""uvloop: the programs are asyncio's, the event loop is libuv's behind Cython."""

from __future__ import annotations

import uvloop

from benchmarks.meter import Meter
from benchmarks.runtimes.asyncio import (
    cancel_all,
    end_every_second,
    run_programs,
    sleep_for_long,
    sleep_until_due,
    spawn_join,
    spawn_wait,
    spawn_wait_again,
    yield_ring,
)

__all__ = [
    "cancel_all",
    "end_every_second",
    "run",
    "run_programs",
    "sleep_for_long",
    "sleep_until_due",
    "spawn_join",
    "spawn_wait",
    "spawn_wait_again",
    "yield_ring",
]


def run(workload, meter: Meter, **sizes) -> None:
    uvloop.run(workload(meter, **sizes))

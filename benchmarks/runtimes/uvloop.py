"""uvloop: the programs are asyncio's, the event loop is libuv's behind Cython."""

from __future__ import annotations

import uvloop

from benchmarks.meter import Meter
from benchmarks.runtimes.asyncio import (
    arm_and_cancel,
    cancel_all,
    echo,
    end_every_second,
    fill_scopes,
    pipe_ping_pong,
    read_files,
    run_programs,
    sleep_for_long,
    sleep_until_due,
    spawn_join,
    spawn_wait,
    spawn_wait_again,
    unix_ping_pong,
    use_no_timeout,
    yield_ring,
)

__all__ = [
    "arm_and_cancel",
    "cancel_all",
    "echo",
    "end_every_second",
    "fill_scopes",
    "pipe_ping_pong",
    "read_files",
    "run",
    "run_programs",
    "sleep_for_long",
    "sleep_until_due",
    "spawn_join",
    "spawn_wait",
    "spawn_wait_again",
    "unix_ping_pong",
    "use_no_timeout",
    "yield_ring",
]


def run(workload, meter: Meter, **sizes) -> None:
    uvloop.run(workload(meter, **sizes))

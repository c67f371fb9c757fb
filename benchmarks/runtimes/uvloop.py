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
    tls_echo,
    unix_ping_pong,
    use_no_timeout,
    yield_ring,
)
from benchmarks.waiting.asyncio import (
    borrow_in_turn,
    choose,
    lock_alone,
    lock_in_turn,
    put_items,
    send_items,
)

__all__ = [
    "arm_and_cancel",
    "borrow_in_turn",
    "cancel_all",
    "choose",
    "echo",
    "end_every_second",
    "fill_scopes",
    "lock_alone",
    "lock_in_turn",
    "pipe_ping_pong",
    "put_items",
    "read_files",
    "run",
    "run_programs",
    "send_items",
    "sleep_for_long",
    "sleep_until_due",
    "spawn_join",
    "spawn_wait",
    "spawn_wait_again",
    "tls_echo",
    "unix_ping_pong",
    "use_no_timeout",
    "yield_ring",
]


def run(workload, meter: Meter, **sizes) -> None:
    uvloop.run(workload(meter, **sizes))

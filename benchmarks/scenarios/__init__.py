"""The scenarios, in the order in which they run and are reported."""

from __future__ import annotations

from importlib import import_module

from benchmarks.scenario import Scenario

NAMES = (
    "yield_10",
    "yield_10000",
    "spawn_join",
    "spawn_wait_cold",
    "spawn_wait_warm",
    "memory",
    "sleep_order",
    "cancel",
    "timers",
    "fragmentation",
    "scope_1000",
    "timeout_unused",
    "channel",
    "channel_100",
    "queue",
    "lock_uncontended",
    "lock_contended",
    "select_8",
    "pool_100",
    "processes",
    "echo",
    "echo_1",
    "echo_10000",
    "echo_64k",
    "unix_ping_pong",
    "pipe_ping_pong",
    "small_files",
    "tls_echo",
    "tls_handshake",
    "import_time",
)


def load(name: str) -> Scenario:
    """The scenario of that name, which is also the name of its module."""
    if name not in NAMES:
        raise SystemExit(f"no scenario is called {name!r}; there are: {', '.join(NAMES)}")
    return import_module(f"benchmarks.scenarios.{name}").SCENARIO

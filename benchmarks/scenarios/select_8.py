"""Waiting at several channels."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="select_8",
    sentence="One coroutine selects among eight channels, to which another sends in turn.",
    operation="item",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio"),
    workload="choose",
    sizes={"items": 50_000, "channels": 8},
    quick={"items": 10_000},
    targets={"gevent": 4.0, "uvloop": 3.0},
)

"""A channel with a buffer between two coroutines."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="channel_100",
    sentence="One coroutine sends items to another, with 100 in between at most.",
    operation="item",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="send_items",
    sizes={"items": 400_000, "capacity": 100},
    quick={"items": 80_000},
    other_sizes={"trio": {"items": 80_000}},
    targets={"gevent": 2.0, "uvloop": 3.0, "trio": 8.0},
    limits={"switches": 0.1},
)

"""A channel without a buffer between two coroutines."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="channel",
    sentence="One coroutine sends items to another, each by rendezvous.",
    operation="item",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="send_items",
    sizes={"items": 200_000, "capacity": 0},
    quick={"items": 40_000},
    other_sizes={"trio": {"items": 40_000}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
    limits={"switches": 2.0},
)

"""A queue between two coroutines."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="queue",
    sentence="One coroutine hands items to another by a queue of one place.",
    operation="item",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "threads"),
    workload="put_items",
    sizes={"items": 200_000, "maxsize": 1},
    quick={"items": 40_000},
    other_sizes={"trio": {"items": 40_000}, "threads": {"items": 20_000}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
)

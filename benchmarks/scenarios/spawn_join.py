"""The price of a coroutine that never waits."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="spawn_join",
    sentence="Spawn an empty function a thousand times, join them all, and again.",
    operation="coroutine",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "threads"),
    workload="spawn_join",
    sizes={"batches": 100, "batch": 1_000},
    quick={"batches": 30},
    other_sizes={"trio": {"batches": 50}, "threads": {"batches": 5}},
    targets={"gevent": 20.0, "uvloop": 8.0},
)

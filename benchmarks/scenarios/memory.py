"""What a waiting coroutine keeps in memory."""

from benchmarks.scenario import RSS, Scenario

SCENARIO = Scenario(
    name="memory",
    sentence="Resident memory of a coroutine that sleeps for an hour, with all of them asleep.",
    operation="waiting coroutine",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="sleep_for_long",
    measure=RSS,
    rounds=2,  # they hardly differ
    sizes={"coroutines": 100_000},
    quick={"coroutines": 20_000},
    targets={"gevent": 1.0},
    limits={"cost": 6_800},
)

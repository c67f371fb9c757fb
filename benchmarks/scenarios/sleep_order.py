"""Timers, many at once, and whether they go off in order."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="sleep_order",
    sentence="Spawn coroutines that sleep until shuffled moments, spread over 0.2 s.",
    operation="coroutine",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="sleep_until_due",
    # Most of the wall time is sleep, which costs nothing.
    measure=CPU,
    rounds=3,
    # `settle` is how long a runtime has to get all of them asleep.
    sizes={"coroutines": 100_000, "settle": 6.0, "spread": 0.2},
    quick={"coroutines": 20_000, "settle": 1.5},
    other_sizes={
        "asyncio": {"coroutines": 20_000, "settle": 2.0},
        "trio": {"coroutines": 20_000, "settle": 3.0},
    },
    targets={"gevent": 4.0},
    limits={"out_of_order": 20},
)

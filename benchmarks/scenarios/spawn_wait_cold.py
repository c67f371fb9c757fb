"""The first burst of coroutines in the life of a process."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="spawn_wait_cold",
    sentence="First burst of a process: spawn, all wait for the same thing at once, end.",
    operation="coroutine",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="spawn_wait",
    whole_run=True,
    rounds=3,
    sizes={"coroutines": 100_000},
    quick={"coroutines": 20_000},
    targets={"gevent": 4.0},
)

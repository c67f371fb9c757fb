"""A burst of coroutines in a process that has seen one of that size before."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="spawn_wait_warm",
    sentence="Second burst of a process: spawn, all wait for the same thing at once, end.",
    operation="coroutine",
    runtimes=("trueasync", "gevent", "uvloop"),
    workload="spawn_wait_again",
    rounds=3,
    sizes={"coroutines": 100_000},
    quick={"coroutines": 20_000},
    targets={"gevent": 8.0},
)

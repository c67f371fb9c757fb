"""Cancelling coroutines and hearing from each that it has ended."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="cancel",
    sentence="Cancel sleeping coroutines, each by itself, and collect what became of them.",
    operation="coroutine",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="cancel_all",
    rounds=3,
    sizes={"coroutines": 100_000},
    quick={"coroutines": 20_000},
    other_sizes={"trio": {"coroutines": 20_000}},
    targets={"gevent": 4.0},
)

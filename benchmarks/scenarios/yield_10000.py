"""Yielding, with more coroutines than the processor's cache holds."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="yield_10000",
    sentence="Ten thousand coroutines yield to each other in turn.",
    operation="yield",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "greenlet"),
    workload="yield_ring",
    sizes={"coroutines": 10_000, "turns": 50},
    quick={"turns": 15},
    other_sizes={"trio": {"turns": 15}},
    targets={"gevent": 3.0},
)

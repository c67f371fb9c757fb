"""Yielding, with everything in the processor's cache."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="yield_10",
    sentence="Ten coroutines yield to each other in turn.",
    operation="yield",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "greenlet", "threads"),
    workload="yield_ring",
    sizes={"coroutines": 10, "turns": 50_000},
    quick={"turns": 20_000},
    other_sizes={"trio": {"turns": 10_000}, "threads": {"turns": 5_000}},
    # 1.3 times the cost of a bare greenlet switch is the most we allow ourselves.
    targets={"gevent": 4.0, "uvloop": 2.0, "greenlet": 1 / 1.3},
)

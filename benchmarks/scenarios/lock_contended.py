"""A lock that several want."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="lock_contended",
    sentence="Ten coroutines take turns at a lock; each yields while it holds it, and after that.",
    operation="turn",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="lock_in_turn",
    sizes={"coroutines": 10, "turns": 20_000},
    quick={"turns": 4_000},
    other_sizes={"trio": {"turns": 2_000}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
)

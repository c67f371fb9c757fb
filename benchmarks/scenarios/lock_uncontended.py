"""A lock that nobody else wants."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="lock_uncontended",
    sentence="One coroutine acquires and releases a lock by `with`.",
    operation="turn",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "threads"),
    workload="lock_alone",
    sizes={"turns": 1_000_000},
    quick={"turns": 200_000},
    other_sizes={"trio": {"turns": 50_000}},
    # 1.3 times the cost of the native lock is the most we allow ourselves.
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0, "threads": 1 / 1.3},
)

"""Timers that are armed and cancelled, as nearly all timeouts are."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="timers",
    sentence="Arm a million timers, ten thousand at a time, and cancel each of them.",
    operation="timer",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="arm_and_cancel",
    measure=CPU,
    rounds=3,
    sizes={"timers": 1_000_000, "alive": 10_000},
    quick={"timers": 100_000},
    other_sizes={"trio": {"timers": 200_000}},
    targets={"uvloop": 2.0, "gevent": 1.2},
)

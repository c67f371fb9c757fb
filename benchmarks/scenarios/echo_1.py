"""One connection: nothing is shared between messages, and each waits for a wake-up."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="echo_1",
    sentence="One connection of another process sends 1 KB messages, each waits for its answer.",
    operation="message",
    runtimes=("trueasync", "gevent", "uvloop_protocol", "uvloop", "asyncio", "trio"),
    workload="echo",
    measure=CPU,
    sizes={"connections": 1, "messages": 100000, "size": 1024},
    quick={"messages": 10000},
    targets={"uvloop": 1.0},
)

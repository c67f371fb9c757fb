"""Many connections: what is kept for each, and how fast the one that is ready is found."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="echo_10000",
    sentence="10,000 connections of another process send 1 KB messages, each waits for its answer.",
    operation="message",
    runtimes=("trueasync", "gevent", "uvloop_protocol", "uvloop", "asyncio", "trio"),
    workload="echo",
    measure=CPU,
    sizes={"connections": 9000, "messages": 200000, "size": 1024},
    quick={"messages": 30000, "connections": 2000},
    targets={"uvloop": 1.0},
)

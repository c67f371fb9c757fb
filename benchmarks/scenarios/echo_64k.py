"""Large messages: what is copied, and where to."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="echo_64k",
    sentence="100 connections of another process send 64 KB messages, each waits for its answer.",
    operation="message",
    runtimes=("trueasync", "gevent", "uvloop_protocol", "uvloop", "asyncio", "trio"),
    workload="echo",
    measure=CPU,
    sizes={"connections": 100, "messages": 50000, "size": 65536},
    quick={"messages": 5000},
    targets={"uvloop": 1.0, "uvloop_protocol": 1.0},
)

"""A server that answers each message with itself: the usual load."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="echo",
    sentence="100 connections of another process send 1 KB messages, each waits for its answer.",
    operation="message",
    runtimes=("trueasync", "gevent", "uvloop_protocol", "uvloop", "asyncio", "trio"),
    workload="echo",
    measure=CPU,
    sizes={"connections": 100, "messages": 300000, "size": 1024},
    quick={"messages": 30000},
    other_sizes={"asyncio": {"messages": 100_000}, "trio": {"messages": 100_000}},
    targets={"uvloop_protocol": 1.0, "uvloop": 1.3, "gevent": 1.5, "asyncio": 3.0},
)

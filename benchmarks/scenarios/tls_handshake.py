"""What a TLS connection costs that is made, used once, and ended."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="tls_handshake",
    sentence="Another process makes TLS 1.3 connections, one after the other, for one byte each.",
    operation="connection",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio"),
    workload="tls_echo",
    measure=CPU,
    rounds=3,
    sizes={"connections": 2_020, "messages": 0, "size": 1},
    quick={"connections": 320},
    targets={"uvloop": 1.0, "asyncio": 1.0, "gevent": 1.0},
)

"""What encrypting and decrypting a small message costs, with all around it."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="tls_echo",
    sentence="100 TLS connections of another process send 1 KB messages and read them back.",
    operation="message",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio"),
    workload="tls_echo",
    measure=CPU,
    rounds=3,
    sizes={"connections": 100, "messages": 100_000, "size": 1024},
    quick={"messages": 10_000},
    targets={"uvloop": 1.0, "asyncio": 1.0, "gevent": 1.0},
)

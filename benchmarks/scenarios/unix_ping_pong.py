"""A Unix socket inside one process: two coroutines, and the system between them."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="unix_ping_pong",
    sentence="Two coroutines send one byte to and fro over a pair of Unix sockets.",
    operation="round trip",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="unix_ping_pong",
    measure=CPU,
    sizes={"turns": 100000},
    quick={"turns": 10000},
    targets={"asyncio": 3.0, "gevent": 2.0},
)

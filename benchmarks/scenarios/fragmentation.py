"""Memory mappings, of which Linux allows a process 65,530."""

from benchmarks.scenario import MAPPINGS, Scenario

SCENARIO = Scenario(
    name="fragmentation",
    sentence="Memory mappings when every second coroutine has ended; growth from burst to burst.",
    operation="process",
    runtimes=("trueasync", "gevent"),
    workload="end_every_second",
    measure=MAPPINGS,
    rounds=1,
    sizes={"coroutines": 200_000},
    quick={"coroutines": 20_000},
    limits={
        "mappings": 2_000,
        "rss_growth_waiting_percent": 1.0,
        "rss_growth_ended_percent": 1.0,
    },
)

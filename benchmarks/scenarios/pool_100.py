"""A pool of resources with more borrowers than resources."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="pool_100",
    sentence="A hundred coroutines borrow one of ten resources, and yield while they do and after.",
    operation="loan",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="borrow_in_turn",
    sizes={"coroutines": 100, "turns": 2_000, "resources": 10},
    quick={"turns": 400},
    other_sizes={"trio": {"turns": 200}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
)

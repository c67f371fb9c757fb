"""The price of a timeout that is not reached, around a call that does not wait."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="timeout_unused",
    sentence="Call an empty function below a timeout of five seconds, again and again.",
    operation="timeout",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="use_no_timeout",
    sizes={"timeouts": 200_000},
    quick={"timeouts": 50_000},
    other_sizes={"trio": {"timeouts": 50_000}, "uvloop": {"timeouts": 50_000}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
)

"""The price of structure: children that begin, and are waited for, together."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="scope_1000",
    sentence="Open a scope, start a thousand empty functions in it, leave it, and again.",
    operation="child",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio"),
    workload="fill_scopes",
    sizes={"scopes": 100, "children": 1_000},
    quick={"scopes": 20},
    other_sizes={"trio": {"scopes": 50}, "gevent": {"scopes": 30}},
    targets={"gevent": 4.0, "uvloop": 3.0, "trio": 8.0},
)

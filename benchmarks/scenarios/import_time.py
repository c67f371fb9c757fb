"""What a program pays before its first line."""

from benchmarks.scenario import IMPORT, Scenario

SCENARIO = Scenario(
    name="import_time",
    sentence="Start an interpreter that imports the runtime, over one that imports nothing.",
    operation="import",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "greenlet"),
    workload=None,
    measure=IMPORT,
    sizes={"repeats": 5},
    quick={"repeats": 3},
    limits={"cost": 25.0},
)

"""What a program costs that is only started, heard and gone."""

from benchmarks.scenario import Scenario

SCENARIO = Scenario(
    name="processes",
    sentence="Run a thousand programs that say a word, ten at a time, and read that word.",
    operation="program",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "trio", "threads"),
    workload="run_programs",
    rounds=3,
    sizes={"programs": 1_000, "at_once": 10},
    quick={"programs": 100},
    # Most of theirs is spent in fork(), and the thousandth costs what the first did.
    other_sizes={"uvloop": {"programs": 300}, "gevent": {"programs": 300}},
    targets={"uvloop": 1.0, "asyncio": 1.0},
)

"""What reading a small file costs when many are asked for at once."""

from benchmarks.scenario import CPU, Scenario

SCENARIO = Scenario(
    name="small_files",
    sentence="Read 10,000 files of 0.5 to 4.5 KB in the cache, all asked for at the same time.",
    operation="file",
    runtimes=("trueasync", "gevent", "uvloop", "asyncio", "aiofiles", "anyio", "trio", "threads"),
    workload="read_files",
    # Threads spread over the cores; what the machine has to give is CPU time.
    measure=CPU,
    rounds=3,
    sizes={"files": 10_000},
    quick={"files": 2_000},
    targets={"aiofiles": 2.0, "anyio": 2.0, "asyncio": 2.0},
)

"""The runtimes, one module each: how this runtime does each scenario.

A module has `run(workload, meter, **sizes)`, which enters the runtime, and one function per
workload it can do, named as in the scenarios. Each does the work the way a good program for
that runtime would, and the fastest way where there are several; where it cannot be the same
as elsewhere, a comment says so. The garbage collector stays as users have it.
"""

NAMES = (
    "trueasync",
    "gevent",
    "uvloop_protocol",
    "uvloop",
    "asyncio",
    "aiofiles",
    "anyio",
    "trio",
    "greenlet",
    "threads",
)

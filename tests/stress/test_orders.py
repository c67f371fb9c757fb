"""The small suite again, in ways it is not run every day: each schedule, dev mode, no cache.

Run by `make stress`.
"""

import os
import pathlib
import subprocess
import sys

import pytest

import trueasync

pytestmark = [pytest.mark.stress, pytest.mark.timeout(1800)]

TESTS = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["events", "scheduler", "io", "test_invariants.py", "test_invariants_of_waiting.py"]


def suite(**environment):
    """Run the tests of the core in another interpreter."""
    folders = [str(TESTS / folder) for folder in FOLDERS]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *folders],
        cwd=TESTS.parent,
        env={
            **os.environ,
            "PYTHONPATH": str(pathlib.Path(trueasync.__file__).parent.parent),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


WAYS = {
    "dev mode": {"PYTHONDEVMODE": "1"},
    "no arena cache": {"TRUEASYNC_ARENA_CACHE": "0"},
    "debug allocator": {"PYTHONMALLOC": "debug"},
    "malloc": {"PYTHONMALLOC": "malloc"},
    "a collection every 10 allocations": {"TRUEASYNC_TESTS_GC": "10"},
    "2,000 schedules": {"TRUEASYNC_SEEDS": "2000"},
}


@pytest.mark.parametrize("environment", WAYS.values(), ids=WAYS.keys())
def test_the_suite_passes(environment):
    ended = suite(**environment)

    assert ended.returncode == 0, ended.stdout[-5000:]

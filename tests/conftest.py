"""What every test gets: a way to run, in any order, and the proof that nothing is left.

`run`      both reactors: the virtual one and libuv's
`seeds`    for an invariant: the body is repeated under some 200 drawn schedules
`python`   a script in an interpreter of its own
`make_pool`  pools of our threads, and of an executor's
"""

import concurrent.futures
import gc
import os
import pathlib
import subprocess
import sys
import threading
import time

import pytest

import trueasync
import trueasync.testing
from trueasync import runtime
from trueasync.io import output
from trueasync.reactor.base import Reactor
from trueasync.reactor.workers import dismiss_idle, threads_alive
from trueasync.scheduler.scheduler import Scheduler

SEEDS = int(os.environ.get("TRUEASYNC_SEEDS", "200"))
# Set by whoever wants to see one failing schedule again.
ASKED_FOR = os.environ.pop("TRUEASYNC_SCHED", None)


@pytest.fixture(params=["virtual", "libuv"])
def run(request):
    """trueasync.run on the virtual reactor, and on the real one."""
    return trueasync.testing.run if request.param == "virtual" else trueasync.run


@pytest.fixture
def seeds(request, monkeypatch):
    """`for seed in seeds:` repeats the body, each time in another order of coroutines."""

    def each():
        for name in schedules():
            monkeypatch.setenv("TRUEASYNC_SCHED", name)
            request.node.schedule = name
            yield name
        monkeypatch.delenv("TRUEASYNC_SCHED")
        request.node.schedule = None

    return each()


def schedules():
    if ASKED_FOR is not None:
        return [ASKED_FOR]
    half = SEEDS // 2
    return [f"random:{n}" for n in range(half)] + [f"pct:{n}" for n in range(SEEDS - half)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.failed = report.failed
    schedule = getattr(item, "schedule", None)
    if report.failed and schedule is not None:
        again = f"TRUEASYNC_SCHED={schedule} python -m pytest '{item.nodeid}'"
        report.sections.append(("schedule", f"This order fails; to see it again:\n{again}"))
    return report


@pytest.fixture
def python():
    """Run a script in a fresh interpreter; what it printed and how it ended."""

    def start(script, *options, timeout=50, **environment):
        source = pathlib.Path(trueasync.__file__).parent.parent
        return subprocess.run(
            [sys.executable, *options, "-c", script],
            env={**os.environ, "PYTHONPATH": str(source), **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return start


@pytest.fixture
def unraisable(monkeypatch):
    """The errors that were given to sys.unraisablehook."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append(args.exc_value))
    return seen


@pytest.fixture(params=["threads", "executor"])
def make_pool(request):
    """A pool of so many workers and places in the queue, of our threads and of an executor's."""
    executors = []

    def make(workers, queue_limit):
        if request.param == "threads":
            return trueasync.ThreadPool(workers, queue_limit)
        executors.append(concurrent.futures.ThreadPoolExecutor(workers))
        return trueasync.ThreadPool(executors[-1], workers + queue_limit)

    yield make
    for executor in executors:
        executor.shutdown()


@pytest.fixture(scope="session", autouse=True)
def _small_heap():
    # libuv opens a few descriptors for the whole process with its first loop.
    trueasync.run(lambda: None)
    # What pytest and the test modules hold is not looked at again: a collection after each
    # test costs a millisecond instead of a hundred.
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    if "TRUEASYNC_TESTS_GC" in os.environ:  # allocations between collections, for stress
        gc.set_threshold(int(os.environ["TRUEASYNC_TESTS_GC"]))
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _nothing_is_left_over(request):
    before = left_over()
    yield
    if request.node.failed:
        return  # its traceback keeps everything
    end_workers()
    gc.collect()
    after = left_over()
    # What a failed test before this one has kept may go meanwhile.
    new_runs = after.pop("runs") - before.pop("runs")
    assert not new_runs, "the test has left something behind"
    assert after == before, "the test has left something behind"


def end_workers():
    """Threads that wait for work go by themselves, but only after some seconds."""
    deadline = time.monotonic() + 10
    while threads_alive() and time.monotonic() < deadline:
        dismiss_idle()
        time.sleep(0.0005)
    for thread in threading.enumerate():
        if thread.name.startswith("trueasync"):
            thread.join(10)


def left_over():
    """Everything a test could forget. A coroutine or context alive holds its scheduler."""
    runs = [item for item in gc.get_objects() if issubclass(type(item), (Scheduler, Reactor))]
    return {
        "runs": {(type(item).__name__, id(item)) for item in runs},
        "coroutines": trueasync.get_coroutines(),
        "descriptors": open_descriptors(),
        "threads": threading.active_count(),
        "stdout": sys.stdout,
        "stderr": sys.stderr,
        "redirections": dict(output.redirections),
        "main handlers": list(runtime.main_handlers),
        "garbage": list(gc.garbage),
    }


def open_descriptors():
    folder = "/proc/self/fd" if os.path.exists("/proc/self/fd") else "/dev/fd"
    with os.scandir(folder) as found:
        names = [entry.name for entry in found]
    return sorted(name for name in names if is_open(name))


def is_open(name):
    try:
        os.fstat(int(name))
    except OSError:
        return False  # that of the listing itself
    return True

"""Thousands that hold connections, half of whom ignore the first cancellation: all end."""

import os
import resource
import signal
import sys

import pytest

import trueasync
from trueasync import Cancelled

GRACE = 0.05


def hold(connection, ignores, seen):
    """Wait for what never comes, and close the connection, whatever happens."""
    try:
        try:
            connection.read()
        except Cancelled:
            seen["cancelled"] += 1
            if not ignores:
                raise
            connection.read()
    finally:
        seen["closed"] += 1
        connection.close()


def fails():
    raise ValueError("the reason")


ENDS = {
    "an error": (fails, ValueError),
    "an exit": (lambda: sys.exit(3), SystemExit),
    "Ctrl-C": (lambda: signal.raise_signal(signal.SIGINT), KeyboardInterrupt),
    "SIGTERM": (lambda: signal.raise_signal(signal.SIGTERM), SystemExit),
    "shutdown": (trueasync.shutdown, None),
}


@pytest.fixture
def descriptors():
    """As many as the system allows, or no test of thousands."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    yield limit[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, limit)


@pytest.mark.parametrize(
    ("how", "many"), [*((how, 500) for how in ENDS), ("SIGTERM", 10_000), ("an error", 10_000)]
)
def test_all_are_cancelled_all_close_and_nothing_hangs(descriptors, how, many):
    if descriptors < many + 200:
        pytest.skip(f"needs {many} descriptors, and {descriptors} are allowed")
    end, kind = ENDS[how]
    seen = {"cancelled": 0, "closed": 0}

    def main():
        for number in range(many // 2):
            for connection in trueasync.stream_pair():
                trueasync.spawn(hold, connection, number % 2, seen)
        trueasync.suspend()
        seen["descriptors"] = len(os.listdir("/dev/fd"))
        end()
        trueasync.sleep(3600)

    run = trueasync.options(grace=GRACE).run
    if kind is None:
        run(main)
    else:
        with pytest.raises(kind):
            run(main)

    assert (seen["cancelled"], seen["closed"]) == (many, many)
    assert seen["descriptors"] >= many  # that none is left, every test looks


@pytest.mark.parametrize("many", [400, pytest.param(10_000, marks=pytest.mark.stress)])
def test_those_who_never_give_up_are_left_behind_and_the_others_close(python, descriptors, many):
    ended = python(
        "import os, socket, trueasync\n"
        "def hold(connection, stubborn):\n"
        "    while True:\n"
        "        try:\n"
        "            trueasync.sleep(3600)\n"
        "        except trueasync.Cancelled:\n"
        "            if not stubborn:\n"
        "                connection.close()\n"
        "                raise\n"
        "def main():\n"
        f"    for number in range({many} // 2):\n"
        "        for connection in socket.socketpair():\n"
        "            trueasync.spawn(hold, connection, number % 100 == 0)\n"
        "    trueasync.suspend()\n"
        "    raise ValueError('the reason')\n"
        "try:\n"
        f"    trueasync.options(grace={GRACE}).run(main)\n"
        "except BaseException as group:\n"
        "    errors = [str(error) for error in group.exceptions]\n"
        "print(errors[0], sum('abandoned' in error for error in errors))\n"
        "print(len(os.listdir('/dev/fd')))\n"
    )

    stubborn = many // 100
    reason, descriptors = ended.stdout.splitlines()
    assert reason == f"the reason {stubborn}"
    assert stubborn <= int(descriptors) < stubborn + 20

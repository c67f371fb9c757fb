"""The end of the process, with a run still on its way: no crash, and the right exit code."""

import pytest

PARKED = """
import sys, threading, trueasync

def sleeper():
    try:
        trueasync.sleep(3600)
    finally:
        print("cleaned up")

def main():
    for _ in range(3):
        trueasync.spawn(sleeper)
    trueasync.suspend()
    {end}

trueasync.run(main)
"""


@pytest.mark.parametrize(
    ("end", "code"),
    [("sys.exit(7)", 7), ("raise SystemExit", 0), ("sys.exit('a message')", 1), ("1 / 0", 1)],
)
def test_an_end_in_main_cleans_up_and_sets_the_exit_code(python, end, code):
    ended = python(PARKED.format(end=end))

    assert ended.returncode == code, ended.stderr
    assert ended.stdout == "cleaned up\n" * 3


def test_an_exit_in_a_child_sets_the_exit_code(python):
    ended = python(PARKED.format(end="trueasync.spawn(sys.exit, 7); trueasync.sleep(3600)"))

    assert ended.returncode == 7, ended.stderr
    assert ended.stdout == "cleaned up\n" * 3


def test_an_interrupt_ends_the_program_as_it_does_without_us(python):
    import signal

    ended = python(PARKED.format(end="import signal; signal.raise_signal(2); trueasync.sleep(9)"))

    assert ended.returncode == -signal.SIGINT, ended.stderr
    assert ended.stdout == "cleaned up\n" * 3
    assert "KeyboardInterrupt" in ended.stderr


def test_a_daemon_thread_may_be_in_a_run_when_the_interpreter_ends(python):
    ended = python(
        "import threading, trueasync\n"
        "parked = threading.Event()\n"
        "def main():\n"
        "    for _ in range(100):\n"
        "        trueasync.spawn(trueasync.sleep, 3600)\n"
        "    trueasync.suspend()\n"
        "    parked.set()\n"
        "    trueasync.sleep(3600)\n"
        "threading.Thread(target=trueasync.run, args=(main,), daemon=True).start()\n"
        "parked.wait()\n"
        "print('end of the main thread')\n"
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "end of the main thread\n"


def test_os_exit_inside_a_coroutine_ends_at_once(python):
    ended = python(PARKED.format(end="import os; os._exit(9)"))

    assert ended.returncode == 9
    assert ended.stdout == ""


def test_a_failed_coroutine_alive_at_the_end_is_reported(python):
    ended = python(
        "import trueasync\n"
        "def fails():\n"
        "    raise ValueError('nobody asked')\n"
        "kept = trueasync.run(lambda: trueasync.spawn(fails))\n"
        "del kept\n"
    )

    assert ended.returncode == 0
    assert "ValueError: nobody asked" in ended.stderr
    assert "fails" in ended.stderr


def test_a_failed_coroutine_kept_by_a_module_does_not_crash_the_end(python):
    ended = python(
        "import trueasync\n"
        "def fails():\n"
        "    raise ValueError('nobody asked')\n"
        "kept = trueasync.run(lambda: trueasync.spawn(fails))\n"
        "kept_in_a_cycle = [kept]\n"
        "kept_in_a_cycle.append(kept_in_a_cycle)\n"
    )

    assert ended.returncode == 0, ended.stderr


def test_run_works_in_atexit(python):
    ended = python(
        "import atexit, trueasync\n"
        "def late():\n"
        "    print(trueasync.run(lambda: trueasync.spawn(lambda: 'late').result()))\n"
        "atexit.register(late)\n"
        "trueasync.run(int)\n"
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "late\n"


STUBBORN = """
import trueasync
from trueasync.testing import run

def stubborn():
    while True:
        try:
            trueasync.sleep(3600)
        except BaseException:
            pass

def ends():
    try:
        trueasync.sleep(3600)
    finally:
        print("cleaned up")

def main():
    trueasync.options(name="the stubborn one").spawn(stubborn)
    trueasync.spawn(ends)
    trueasync.suspend()
    raise ValueError("the reason")

try:
    run(main)
except BaseException as error:
    for one in getattr(error, "exceptions", [error]):
        print(type(one).__name__, one)
print(run(lambda: trueasync.spawn(lambda: "another run").result()))
"""


def test_a_coroutine_that_ignores_everything_is_abandoned_and_named(python):
    ended = python(STUBBORN)

    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    lines = ended.stdout.splitlines()
    assert lines[0] == "cleaned up"
    assert lines[1] == "ValueError the reason"
    assert lines[2].startswith("RuntimeError <Coroutine the stubborn one ")
    assert lines[2].endswith("ignores its cancellation; abandoned")
    assert lines[3] == "another run"


def test_where_an_abandoned_coroutine_waits_is_said(python):
    ended = python(STUBBORN)

    assert "suspended at <string>:8" in ended.stdout


def test_several_may_be_abandoned_and_main_too(python):
    ended = python(
        STUBBORN.replace('raise ValueError("the reason")', "trueasync.spawn(stubborn); 1 / 0")
    )
    both = python(
        STUBBORN.replace(
            'raise ValueError("the reason")', "trueasync.spawn(lambda: 1 / 0); stubborn()"
        )
    )

    assert ended.returncode == both.returncode == 0, ended.stderr + both.stderr
    assert ended.stdout.count("abandoned") == 1  # the other never started
    assert both.stdout.count("abandoned") == 2

"""atexit callbacks and weakref.finalize may wait at exit, and then hold up nobody behind them."""

import signal
import subprocess
import sys

import pytest

HEAD = """
import atexit, os, signal, sys, time, weakref, trueasync

def waits(name, seconds=0.01):
    print(name, "begins", flush=True)
    trueasync.sleep(seconds)
    print(name, "ends", flush=True)

def thing(name):
    class Thing: pass
    kept.append(Thing())
    return kept[-1]

kept = []
"""


def test_a_callback_may_wait(python):
    ended = python(HEAD + "trueasync.run(int)\natexit.register(waits, 'it')\n")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "it begins\nit ends\n"


def test_those_behind_one_that_waits_are_called_meanwhile_the_last_registered_first(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(print, 'a')\n"
        "atexit.register(waits, 'b')\n"
        "atexit.register(print, 'c')\n"
        "atexit.register(waits, 'd', 0.02)\n"
    )

    assert ended.stderr == ""
    assert ended.stdout.splitlines() == ["d begins", "c", "b begins", "a", "b ends", "d ends"]


def test_one_that_waits_several_times_hands_over_once(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(print, 'a')\n"
        "atexit.register(lambda: [waits('b') for _ in range(2)])\n"
    )

    assert ended.stdout.splitlines() == ["b begins", "a", "b ends", "b begins", "b ends"]


def test_ten_thousand_that_wait_are_all_under_way_together(python):
    ended = python(
        HEAD + "seen = [0, 0]\n"
        "def one():\n"
        "    seen[0] += 1\n"
        "    trueasync.sleep(0.1)\n"
        "    seen[1] += 1\n"
        "atexit.register(lambda: print(seen[0]))\n"
        "trueasync.run(int)\n"
        "for _ in range(10_000):\n"
        "    atexit.register(one)\n"
        "class AtTheVeryEnd:\n"
        "    def __del__(self, print=print, seen=seen):\n"
        "        print(*seen)\n"
        "kept.append(AtTheVeryEnd())\n"
    )

    assert ended.stderr == ""
    assert ended.stdout == "10000\n10000 10000\n"


def test_those_registered_before_the_first_run_may_wait_too(python):
    ended = python(
        HEAD + "atexit.register(waits, 'a')\n"
        "atexit.register(print, 'b')\n"
        "trueasync.run(int)\n"
        "atexit.register(print, 'c')\n"
    )

    assert (ended.stdout, ended.stderr) == ("c\nb\na begins\na ends\n", "")


def test_finalizers_that_wait_let_the_others_go_on(python):
    ended = python(
        HEAD + "weakref.finalize(thing('a'), print, 'a')\n"
        "weakref.finalize(thing('b'), waits, 'b', 0.02)\n"
        "weakref.finalize(thing('c'), waits, 'c')\n"
        "trueasync.run(int)\n"
        "atexit.register(print, 'callback')\n"
    )

    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "callback",
        "c begins",
        "b begins",
        "a",
        "c ends",
        "b ends",
    ]


def test_a_finalizer_is_called_once_and_not_if_its_thing_has_gone_before(python):
    ended = python(
        HEAD + "first = weakref.finalize(thing('a'), print, 'a')\n"
        "weakref.finalize(thing('b'), waits, 'b')\n"
        "not_at_exit = weakref.finalize(thing('c'), print, 'c')\n"
        "not_at_exit.atexit = False\n"
        "trueasync.run(int)\n"
        "del kept[0]\n"
        "os.register_at_fork\n"
    )

    assert ended.stdout == "a\nb begins\nb ends\n"


def test_an_error_is_told_and_the_rest_are_called(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(print, 'a')\n"
        "atexit.register(lambda: 1 / 0)\n"
        "def late():\n"
        "    trueasync.sleep(0.001)\n"
        "    raise ValueError('late')\n"
        "atexit.register(late)\n"
    )

    assert (ended.returncode, ended.stdout) == (0, "a\n")
    assert "ZeroDivisionError" in ended.stderr
    assert "ValueError: late" in ended.stderr


def test_an_exit_in_a_callback_ends_nothing(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(waits, 'a')\n"
        "atexit.register(sys.exit, 3)\n"
        "atexit.register(waits, 'b')\n"
    )

    assert ended.returncode == 0
    assert ended.stdout.splitlines()[:2] == ["b begins", "a begins"]
    assert sorted(ended.stdout.splitlines()[2:]) == ["a ends", "b ends"]


def test_one_that_waits_for_ever_keeps_nobody_and_is_named(python):
    ended = python(
        HEAD + "from trueasync import Channel\n"
        "trueasync.run(int)\n"
        "atexit.register(print, 'a')\n"
        "atexit.register(Channel().receive)\n"
        "atexit.register(print, 'b')\n"
    )

    assert (ended.returncode, ended.stdout) == (0, "b\na\n")
    assert "DeadlockError" in ended.stderr
    assert "for a value from <Channel" in ended.stderr


def test_a_run_inside_a_callback_is_one_of_its_own(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(waits, 'a')\n"
        "atexit.register(trueasync.run, waits, 'b')\n"
        "atexit.register(waits, 'c', 0.03)\n"
    )

    assert ended.stderr == ""
    assert sorted(ended.stdout.splitlines()) == sorted(
        f"{name} {moment}" for name in "abc" for moment in ("begins", "ends")
    )


def test_a_program_that_never_ran_anything_is_left_alone(python):
    ended = python(HEAD + "before = atexit.register\natexit.register(waits, 'a')\n")

    assert "UsageError" in ended.stderr


def test_register_is_what_it_was(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "@atexit.register\n"
        "def decorated():\n"
        "    print('decorated')\n"
        "assert decorated.__name__ == 'decorated'\n"
        "atexit.register(print, 'kept', end='!\\n')\n"
        "for _ in range(3):\n"
        "    atexit.register(waits, 'x')\n"
        "atexit.unregister(waits)\n"
        "try:\n"
        "    atexit.register(3)\n"
        "except TypeError as error:\n"
        "    print(error)\n"
        "print('executed' in atexit.register.__doc__)\n"
        "trueasync.run(int)\n"
    )

    assert ended.stderr == ""
    assert ended.stdout == "the first argument must be callable\nTrue\nkept!\ndecorated\n"


def test_what_was_cleared_is_not_called(python):
    ended = python(HEAD + "trueasync.run(int)\natexit.register(waits, 'a')\natexit._clear()\n")

    assert (ended.stdout, ended.stderr) == ("", "")


def test_callbacks_run_by_hand_inside_a_run_wait_like_anything_else(python):
    ended = python(
        HEAD + "def main():\n"
        "    atexit.register(waits, 'a')\n"
        "    atexit._run_exitfuncs()\n"
        "    print('went on')\n"
        "trueasync.run(main)\n"
        "atexit.register(waits, 'b')\n"
    )

    assert ended.stderr == ""
    assert ended.stdout.splitlines() == ["a begins", "a ends", "went on", "b begins", "b ends"]


def test_an_exit_inside_a_run_has_its_status_and_its_callbacks(python):
    ended = python(
        HEAD + "def main():\n"
        "    atexit.register(waits, 'a')\n"
        "    trueasync.spawn(waits, 'cancelled')\n"
        "    trueasync.suspend()\n"
        "    sys.exit(3)\n"
        "trueasync.run(main)\n"
    )

    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout == "cancelled begins\na begins\na ends\n"


def test_a_forked_child_calls_them_too(python):
    ended = python(
        HEAD + "trueasync.run(int)\n"
        "atexit.register(waits, 'it')\n"
        "child = os.fork()\n"
        "if child:\n"
        "    os.waitpid(child, 0)\n"
        "    atexit._clear()\n"
    )

    assert (ended.stdout, ended.stderr) == ("it begins\nit ends\n", "")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, -15)])
def test_a_signal_ends_the_waiting(number, status):
    script = HEAD + (
        "trueasync.run(int)\n"
        "atexit.register(print, 'behind it', flush=True)\n"
        "atexit.register(waits, 'it', 3600)\n"
    )
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "it begins\n"
    assert process.stdout.readline() == "behind it\n"

    process.send_signal(number)
    out, errors = process.communicate(timeout=50)

    assert (process.returncode, out) == (status, "")
    assert ("KeyboardInterrupt" if status == 0 else "SystemExit: 143") in errors


def test_the_development_mode_finds_nothing_wrong(python):
    ended = python(
        HEAD + "weakref.finalize(thing('a'), waits, 'a')\n"
        "atexit.register(waits, 'b')\n"
        "trueasync.run(int)\n"
        "atexit.register(waits, 'c')\n",
        PYTHONDEVMODE="1",
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("ends") == 3

"""SIGTERM: a run cleans up, and the process still ends as one that the signal has ended."""

import signal
import subprocess
import sys
import threading

import pytest

import trueasync
from trueasync import runtime
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor

PROGRAM = """
import atexit, os, signal, sys, threading, time, trueasync
atexit.register(print, "atexit")

def ready():
    print("ready", flush=True)

def sleeper():
    try:
        trueasync.sleep(3600)
    finally:
        trueasync.sleep(0.001)
        print("cleaned up")

def idle():
    trueasync.spawn(sleeper)
    trueasync.suspend()
    ready()
    trueasync.sleep(3600)

def cleans_up_for_hours():
    try:
        ready()
        trueasync.sleep(3600)
    finally:
        ready()
        trueasync.sleep(3600)

def another_cleans_up_for_hours():
    trueasync.spawn(cleans_up_for_hours)
    trueasync.suspend()
    raise ValueError("the reason")

def never_lets_go():
    ready()
    while True:
        pass

def catches_everything():
    times = 0
    while True:
        try:
            if times < 2:
                ready()
            while True:
                pass
        except BaseException:
            times += 1

def fails_in_its_clean_up():
    try:
        ready()
        trueasync.sleep(3600)
    finally:
        raise ValueError("the connection was lost")

def waits_for_it_itself():
    scheduler = trueasync.scheduler.calls.running_scheduler("test")
    event = scheduler.reactor.signal(signal.SIGTERM)
    trueasync.spawn(ready)
    scheduler.wait(event)
    print("heard it")

{start}
"""


def start(name, start="trueasync.options(grace=3600).run({name})"):
    script = PROGRAM.replace("{start}", start.format(name=name))
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def end(process, number=signal.SIGTERM):
    """Send the signal; its exit status, and what it wrote since."""
    process.send_signal(number)
    out, errors = process.communicate(timeout=50)
    return process.returncode, out, errors


def end_by_many(process):
    """Send it SIGTERM until it ends: the handler of one may not have run yet when two are sent."""
    while process.poll() is None:
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
    process.communicate()
    return process.returncode


def test_everyone_cleans_up_and_the_process_ends_by_the_signal():
    assert end(start("idle")) == (-signal.SIGTERM, "cleaned up\natexit\n", "")


def test_code_around_the_run_is_unwound():
    wrapped = "try:\n    trueasync.run({name})\nfinally:\n    print('unwound')"

    assert end(start("idle", wrapped)) == (-signal.SIGTERM, "cleaned up\nunwound\natexit\n", "")


def test_a_program_that_catches_the_exit_decides_itself_how_it_ends():
    caught = "try:\n    trueasync.run({name})\nexcept SystemExit as e:\n    print(e.code)"

    assert end(start("idle", caught)) == (0, "cleaned up\n143\natexit\n", "")


def test_an_error_in_a_clean_up_is_not_lost_in_a_silent_exit():
    status, out, errors = end(start("fails_in_its_clean_up"))

    assert (status, out) == (-signal.SIGTERM, "atexit\n")
    assert errors.endswith("ValueError: the connection was lost\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_the_grace(number):
    process = start("cleans_up_for_hours")
    process.send_signal(signal.SIGTERM)
    assert process.stdout.readline() == "ready\n"

    status, out, errors = end(process, number)

    if number == signal.SIGTERM:
        assert (status, out, errors) == (-number, "atexit\n", "")
    else:
        assert out == "atexit\n"
        assert status in (-signal.SIGINT, -signal.SIGTERM)


def test_ctrl_c_ends_the_grace_that_another_began():
    process = start("another_cleans_up_for_hours")
    assert process.stdout.readline() == "ready\n"

    status, _, errors = end(process, signal.SIGINT)

    assert status == -signal.SIGINT
    assert "ValueError: the reason" in errors
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_the_second_ends_one_that_does_not_let_go_of_the_thread():
    process = start("never_lets_go")
    process.send_signal(signal.SIGTERM)
    assert end_by_many(process) == -signal.SIGTERM


def test_the_third_ends_what_nothing_else_ends():
    process = start("catches_everything")
    process.send_signal(signal.SIGTERM)
    assert end_by_many(process) == -signal.SIGTERM


def test_who_waits_for_the_signal_has_it_for_himself():
    assert end(start("waits_for_it_itself")) == (0, "heard it\natexit\n", "")


def test_a_run_in_another_thread_changes_nothing():
    in_thread = "threading.Thread(target=trueasync.run, args=({name},)).start()"

    assert end(start("idle", in_thread)) == (-signal.SIGTERM, "", "")


def test_a_forked_child_is_ended_as_without_a_run(python):
    ended = python(
        "import os, signal, time, trueasync\n"
        "def main():\n"
        "    for number in (signal.SIGTERM, signal.SIGINT):\n"
        "        reader, writer = os.pipe()\n"
        "        child = os.fork()\n"
        "        if not child:\n"
        "            try:\n"
        "                os.write(writer, b'x')\n"
        "                time.sleep(40)\n"
        "            except KeyboardInterrupt:\n"
        "                os._exit(9)\n"
        "            os._exit(1)\n"
        "        os.read(reader, 1)\n"
        "        os.kill(child, number)\n"
        "        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "trueasync.run(main)\n"
    )

    assert ended.stdout == "-15\n9\n", ended.stderr


# -- in this process --------------------------------------------------------------------------


def test_the_default_is_back_after_the_run():
    trueasync.run(int)

    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("theirs", [lambda number, frame: heard.append(number), signal.SIG_IGN])
def test_what_the_program_has_chosen_is_left_alone(theirs):
    heard.clear()
    before = signal.signal(signal.SIGTERM, theirs)
    try:
        trueasync.run(signal.raise_signal, signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is theirs
    finally:
        signal.signal(signal.SIGTERM, before)

    assert heard == ([] if theirs is signal.SIG_IGN else [signal.SIGTERM])


heard: list[int] = []


def test_those_who_are_cancelled_hear_why():
    reasons = []

    def main():
        trueasync.spawn(signal.raise_signal, signal.SIGTERM)
        try:
            trueasync.sleep(3600)
        except trueasync.Cancelled as cancelled:
            reasons.append(str(cancelled))
            raise

    with pytest.raises(SystemExit) as raised:
        trueasync.run(main)
    assert raised.value.code == 143
    assert reasons == ["the run is shut down by SIGTERM"]


@pytest.mark.parametrize(
    ("number", "kind"), [(signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)]
)
def test_one_that_comes_when_the_run_is_over_is_not_lost(number, kind):
    class Closing(VirtualReactor):
        def close(self):
            signal.raise_signal(number)

    with pytest.raises(kind):
        run_on(Closing(), int)
    assert signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)


def test_one_that_comes_before_main_has_begun_ends_the_run(monkeypatch):
    ran = []
    start = runtime.start_helpers

    def start_and_raise(*arguments):
        start(*arguments)
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(runtime, "start_helpers", start_and_raise)
    with pytest.raises(SystemExit):
        trueasync.run(ran.append, "main")

    assert ran == []
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_run_of_another_thread_may_go_on_meanwhile():
    inside, done, results = threading.Event(), threading.Event(), []

    def other():
        running_scheduler("test")
        inside.set()
        done.wait()
        trueasync.sleep(0.001)
        return "went on"

    thread = threading.Thread(target=lambda: results.append(trueasync.run(other)))
    thread.start()
    inside.wait()
    with pytest.raises(SystemExit):
        trueasync.run(signal.raise_signal, signal.SIGTERM)
    done.set()
    thread.join()

    assert results == ["went on"]

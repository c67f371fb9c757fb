"""A report at a signal: asked for by options or by the environment, and harmless."""

import signal
import threading

import pytest

import trueasync

PROGRAM = """
import os, signal, sys, threading, trueasync

def reader():
    trueasync.sleep(3600)

def main():
    for _ in range(3):
        trueasync.options(name="reader").spawn(reader)
    trueasync.suspend()
    {act}
    for one in trueasync.get_coroutines()[1:]:
        one.cancel()
    return "went on"

print(trueasync{options}.run(main))
"""


def program(act="signal.raise_signal(signal.SIGUSR1)", options=""):
    return PROGRAM.format(act=act, options=options)


@pytest.mark.parametrize(
    ("options", "environment"),
    [(".options(report_on=signal.SIGUSR1)", {}), ("", {"TRUEASYNC_REPORT": "SIGUSR1"})],
)
def test_the_signal_writes_a_report_and_the_program_goes_on(python, options, environment):
    ended = python(program(options=options), **environment)

    assert ended.stdout == "went on\n"
    assert ended.stderr.startswith("run in thread MainThread: 1 running, 3 waiting\n")
    assert "  3 x reader: spawned at <string>:9\n" in ended.stderr
    assert "    for a timer of 3600 s\n" in ended.stderr


def test_a_run_that_waits_is_reported_at_once(python):
    send = "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()"
    ended = python(program(f"{send}; trueasync.sleep(0.3)"), TRUEASYNC_REPORT="USR1")

    assert ended.stdout == "went on\n"
    assert ended.stderr.startswith("run in thread MainThread: 4 waiting\n")


def test_a_run_in_another_thread_is_reported_by_one_in_the_main_thread(python):
    ended = python(
        "import signal, threading, trueasync\n"
        "inside, done = threading.Event(), threading.Event()\n"
        "def other():\n"
        "    inside.set()\n"
        "    done.wait()\n"
        "thread = threading.Thread(target=trueasync.run, args=(other,), name='the other')\n"
        "thread.start()\n"
        "inside.wait()\n"
        "trueasync.options(report_on=signal.SIGUSR1).run(signal.raise_signal, signal.SIGUSR1)\n"
        "done.set()\n"
    )

    assert "run in thread the other: 1 running" in ended.stderr


def test_who_has_closed_stderr_is_not_disturbed(python):
    ended = python(
        program("os.close(2); signal.raise_signal(signal.SIGUSR1)"), TRUEASYNC_REPORT="USR1"
    )

    assert (ended.returncode, ended.stdout) == (0, "went on\n")


def test_a_handler_of_the_program_stays_where_only_the_environment_asks(monkeypatch):
    monkeypatch.setenv("TRUEASYNC_REPORT", "SIGUSR1")
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
    try:
        trueasync.run(signal.raise_signal, signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert heard == [signal.SIGUSR1]


def test_what_was_there_before_is_back_after_the_run():
    trueasync.options(report_on=signal.SIGUSR1).run(int)

    assert signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL


def test_a_handler_set_inside_the_run_stays():
    def mine(number, frame):
        pass

    try:
        trueasync.options(report_on=signal.SIGUSR1).run(signal.signal, signal.SIGUSR1, mine)

        assert signal.getsignal(signal.SIGUSR1) is mine
    finally:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)


@pytest.mark.parametrize("asked", [True, False])
def test_outside_the_main_thread_it_is_refused_where_the_program_asks(monkeypatch, asked):
    results = []

    def use():
        try:
            chosen = trueasync.options(report_on=signal.SIGUSR1 if asked else None)
            results.append(chosen.run(lambda: "ran"))
        except trueasync.UsageError as error:
            results.append(str(error))

    if not asked:
        monkeypatch.setenv("TRUEASYNC_REPORT", "SIGUSR1")
    thread = threading.Thread(target=use)
    thread.start()
    thread.join()

    assert results[0].partition(" only")[0] == (
        "report_on works in the main thread" if asked else "ran"
    )

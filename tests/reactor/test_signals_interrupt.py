"""Ctrl-C, and signal handlers of programs, while trueasync.run waits or works."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import trueasync

PROGRAM = """
import signal, sys, trueasync

def idle():
    print("ready", flush=True)
    trueasync.sleep(60)

def helper_waits():
    helper = trueasync.spawn(trueasync.sleep, 60)
    print("ready", flush=True)
    helper.result()

def busy():
    print("ready", flush=True)
    while True:
        pass

def helper_is_busy():
    trueasync.spawn(busy)
    trueasync.sleep(60)

def everyone_yields():
    def spin():
        while True:
            trueasync.suspend()
    for _ in range(10):
        trueasync.spawn(spin)
    print("ready", flush=True)
    trueasync.sleep(60)

trueasync.run(globals()[sys.argv[1]])
"""


def interrupt_soon(times=1):
    def send():
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Timer(0.05, send)
    thread.start()
    return thread


def start_program(name):
    command = [sys.executable, "-c", PROGRAM, name]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "ready\n"
    return program


@pytest.mark.parametrize("name", ["idle", "helper_waits", "busy", "everyone_yields"])
def test_one_interrupt_ends_a_program(name):
    program = start_program(name)

    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=30)

    assert program.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_a_second_interrupt_ends_a_program_whose_helper_does_not_let_go():
    program = start_program("helper_is_busy")

    program.send_signal(signal.SIGINT)
    while program.poll() is None:
        # The first is for main, which never gets its turn. More than two are not wrong:
        # the handler of the first may not have run yet when the second comes.
        try:
            program.wait(0.05)
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=30)

    assert program.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in errors


def test_main_may_catch_the_interrupt_and_go_on():
    heard = []

    def main():
        try:
            trueasync.sleep(60)
        except KeyboardInterrupt:
            heard.append("interrupt")
        trueasync.sleep(0.001)
        return "went on"

    sender = interrupt_soon()
    result = trueasync.run(main)
    sender.join()

    assert (result, heard) == ("went on", ["interrupt"])


def test_the_interrupt_of_a_spawned_coroutine_goes_to_main():
    heard = []

    def work():
        signal.raise_signal(signal.SIGINT)
        heard.append("work went on")
        trueasync.suspend()
        heard.append("work ended")

    def main():
        worker = trueasync.spawn(work)
        try:
            trueasync.sleep(60)
        except KeyboardInterrupt:
            heard.append("main")
        worker.result()

    trueasync.run(main)

    assert heard[0] == "work went on"
    assert sorted(heard[1:]) == ["main", "work ended"]


def test_a_second_interrupt_before_main_ran_is_raised_where_it_arrives():
    heard = []

    def work():
        signal.raise_signal(signal.SIGINT)
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            heard.append("work")

    def main():
        worker = trueasync.spawn(work)
        try:
            trueasync.sleep(60)
        except KeyboardInterrupt:
            heard.append("main")
        worker.result()

    trueasync.run(main)

    assert heard == ["work", "main"]


def test_an_interrupt_while_main_runs_is_raised_in_place():
    def main():
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return "in place"

    assert trueasync.run(main) == "in place"


def test_an_interrupt_after_main_ended_ends_the_run():
    ended = []

    def work():
        try:
            trueasync.sleep(60)
        except trueasync.Cancelled:
            ended.append("cancelled")
            raise

    sender = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        trueasync.run(lambda: trueasync.spawn(work) and None)
    sender.join()

    assert ended == ["cancelled"]


def test_an_uncaught_interrupt_cancels_everyone_and_comes_out_of_run():
    cleaned = []

    def work():
        try:
            trueasync.sleep(60)
        finally:
            trueasync.sleep(0.001)
            cleaned.append("work")

    def main():
        for _ in range(3):
            trueasync.spawn(work)
        trueasync.sleep(60)

    sender = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        trueasync.run(main)
    sender.join()

    assert cleaned == ["work"] * 3


def test_the_interrupt_handler_of_python_is_back_after_the_run():
    trueasync.run(lambda: None)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_handler_of_the_program_is_left_alone():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        trueasync.run(signal.raise_signal, signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert heard == [signal.SIGINT]


def test_a_handler_set_inside_the_run_stays():
    def mine(number, frame):
        pass

    try:
        trueasync.run(signal.signal, signal.SIGINT, mine)

        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_run_in_a_thread_leaves_interrupts_to_the_main_thread():
    results = []

    def use():
        results.append(trueasync.run(lambda: trueasync.sleep(0.05)))

    thread = threading.Thread(target=use)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    thread.join()

    assert results == [None]


def test_a_handler_of_the_program_may_spawn_what_then_waits():
    done = []

    def reload():
        trueasync.sleep(0.001)
        done.append("reloaded")

    def main():
        before = signal.signal(signal.SIGUSR1, lambda number, frame: trueasync.spawn(reload))
        try:
            sender = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
            sender.start()
            trueasync.sleep(0.2)
            sender.join()
        finally:
            signal.signal(signal.SIGUSR1, before)

    trueasync.run(main)

    assert done == ["reloaded"]


def test_a_handler_of_the_program_that_waits_itself_is_told_why_it_cannot():
    def main():
        before = signal.signal(signal.SIGUSR1, lambda number, frame: trueasync.sleep(1))
        try:
            sender = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
            sender.start()
            trueasync.sleep(60)
        finally:
            sender.join()
            signal.signal(signal.SIGUSR1, before)

    with pytest.raises(trueasync.UsageError, match="where no coroutine runs"):
        trueasync.run(main)

"""Crews and workers: bounds, order, reuse, and threads that end."""

import threading
import time

import pytest

from trueasync.reactor import workers
from trueasync.reactor.reactor import UvReactor
from trueasync.reactor.workers import Crew, dismiss_idle, start_thread


def finish(reactor, calls):
    while not all(call.fired for call in calls):
        reactor.poll(True)


def started(reactor, crew, function, *args):
    call = reactor.thread(function, args, None, crew)
    call.start()
    return call


def test_a_crew_calls_as_many_at_a_time_as_it_may_and_no_more(reactor):
    crew, lock, barrier = Crew(3), threading.Lock(), threading.Barrier(3)
    running, most = 0, 0

    def function():
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        barrier.wait(30)  # passes only while three are in here
        with lock:
            running -= 1

    calls = [started(reactor, crew, function) for _ in range(12)]
    finish(reactor, calls)
    for call in calls:
        call.outcome()

    assert most == 3
    assert (crew.busy, crew.queued) == (0, 0)


def test_a_blocked_call_does_not_keep_the_next_from_beginning(reactor):
    # The worker that was woken for both wakes another one before it begins.
    crew, opened = Crew(8), threading.Event()

    blocked = [started(reactor, crew, opened.wait, 30) for _ in range(7)]
    last = started(reactor, crew, opened.set)
    finish(reactor, [*blocked, last])

    assert [call.outcome() for call in blocked] == [True] * 7


def test_calls_begin_in_order(reactor):
    crew, order = Crew(1), []

    finish(reactor, [started(reactor, crew, order.append, number) for number in range(1000)])

    assert order == list(range(1000))


def test_threads_are_used_again(reactor):
    crew = Crew(4)

    idents = set()
    for _ in range(50):
        call = started(reactor, crew, threading.get_ident)
        finish(reactor, [call])
        idents.add(call.outcome())

    assert len(idents) <= 2  # the last one may be on its way to being idle


def test_crews_share_idle_threads(reactor):
    first = started(reactor, Crew(1), threading.get_ident)
    finish(reactor, [first])
    wait_until_idle(1)

    second = started(reactor, Crew(1), threading.get_ident)
    finish(reactor, [second])

    assert first.outcome() == second.outcome()


def wait_until_ended():
    deadline = time.monotonic() + 5  # half of what an idle one waits by itself
    while workers.threads_alive():
        assert time.monotonic() < deadline
        time.sleep(0.0005)


def wait_until_idle(count):
    while len(workers.idle) < count:
        time.sleep(0.0005)


def test_idle_threads_end_after_a_while(reactor, monkeypatch):
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.01)
    crew = Crew(2)

    finish(reactor, [started(reactor, crew, time.sleep, 0.001) for _ in range(2)])
    wait_until_ended()

    assert workers.idle == []


def test_a_crew_works_on_after_its_threads_have_ended(reactor, monkeypatch):
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.0)
    crew = Crew(2)

    for number in range(200):
        call = started(reactor, crew, int, number)
        finish(reactor, [call])
        assert call.outcome() == number

    assert crew.busy == 0


def test_dismissed_threads_end_at_once(reactor):
    finish(reactor, [started(reactor, Crew(1), int)])
    wait_until_idle(1)

    dismiss_idle()
    wait_until_ended()


def test_several_reactors_share_a_crew():
    crew, outcomes = Crew(2), []

    def use(name):
        reactor = UvReactor()
        calls = [started(reactor, crew, lambda n=n: (name, n)) for n in range(300)]
        finish(reactor, calls)
        outcomes.append([call.outcome() for call in calls] == [(name, n) for n in range(300)])
        reactor.close()

    threads = [threading.Thread(target=use, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert outcomes == [True] * 4


@pytest.mark.parametrize("limit", [0, -1])
def test_a_crew_of_nobody_is_refused(limit):
    with pytest.raises(ValueError, match="at least 1 thread"):
        Crew(limit)


def test_without_any_thread_left_the_call_says_so(reactor, monkeypatch):
    def refuse(*args):
        raise RuntimeError("can't start new thread")

    dismiss_idle()
    monkeypatch.setattr(workers, "start_new_thread", refuse)
    crew = Crew(1)
    call = reactor.thread(int, (), None, crew)

    with pytest.raises(RuntimeError, match="can't start new thread"):
        call.start()
    monkeypatch.undo()

    assert (crew.busy, crew.queued, call.starts, reactor.active) == (0, 0, 0, 0)
    call.start()
    finish(reactor, [call])


def test_without_a_further_thread_those_that_work_do_it(reactor, monkeypatch):
    dismiss_idle()
    crew, gate, entered = Crew(5), threading.Event(), threading.Event()
    blocked = started(reactor, crew, lambda: (entered.set(), gate.wait(30)))
    assert entered.wait(30)

    def refuse(*args):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(workers, "start_new_thread", refuse)
    calls = [started(reactor, crew, int, number) for number in range(5)]
    waiting = crew.queued
    gate.set()
    finish(reactor, [blocked, *calls])

    assert (waiting, [call.outcome() for call in calls]) == (5, [0, 1, 2, 3, 4])


def test_a_thread_is_started_with_its_name_and_as_a_daemon():
    seen = []
    ended = threading.Event()

    def function():
        thread = threading.current_thread()
        seen.append((thread.name, thread.daemon, type(thread)))
        ended.set()

    start_thread(function, "the name")
    assert ended.wait(30)

    assert seen == [("the name", True, threading.Thread)]


def test_a_debugger_sees_the_threads(reactor):
    # threading.settrace is what debuggers and coverage set.
    dismiss_idle()
    traced = []

    def trace(frame, event, argument):
        traced.append(frame.f_code.co_name)

    def function_to_see():
        pass

    before = threading.gettrace()
    threading.settrace(trace)
    try:
        finish(reactor, [started(reactor, Crew(1), function_to_see)])
    finally:
        threading.settrace(before)
        dismiss_idle()

    assert "function_to_see" in traced


def test_threads_at_work_and_idle_ones_do_not_keep_the_program(python):
    ended = python(
        """
import threading, trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.reactor.workers import Crew

def main():
    scheduler = running_scheduler("main")
    entered = threading.Event()
    scheduler.wait(scheduler.reactor.thread(int, crew=Crew(1)))
    blocked = scheduler.reactor.thread(lambda: (entered.set(), threading.Event().wait()))
    blocked.begin()
    assert entered.wait(30)
    print("main ends")

trueasync.run(main)
"""
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "main ends\n", "")


def test_a_child_of_fork_has_workers_of_its_own(python):
    ended = python(
        """
import os, threading, trueasync
from trueasync.reactor import workers

def main():
    entered, gate = threading.Event(), threading.Event()
    busy = trueasync.spawn(trueasync.offload, lambda: (entered.set(), gate.wait(30)))
    while not entered.is_set():
        trueasync.suspend()
    trueasync.offload(int)
    while not workers.idle:  # they would be asked first, and are not there in the child
        trueasync.suspend()
    pid = os.fork()
    if pid == 0:
        os.write(1, f"{trueasync.offload(pow, 2, 5)}\\n".encode())
        os._exit(0)
    os.waitpid(pid, 0)
    gate.set()
    busy.result()

trueasync.run(main)
""",
        timeout=20,
    )

    assert (ended.returncode, ended.stdout) == (0, "32\n")

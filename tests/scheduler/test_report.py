"""report: who runs and who waits for what, here and in other threads, as data and as text."""

import json
import os
import signal
import sys
import threading

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.report import Frame
from trueasync.testing import run as run_virtual


def wait(*events):
    running_scheduler("test").wait(*events)


def line_of(function, offset):
    return f"{__file__}:{function.__code__.co_firstlineno + offset}"


def by_name(report):
    return {one.name: one for one in report.coroutines}


class Held(Event):
    """As a lock: its holder holds it up."""

    def __init__(self, *holders):
        self.holders = list(holders)

    def held_up_by(self):
        return self.holders


# -- the data -------------------------------------------------------------------------------


def test_without_a_run_there_is_nothing_to_report():
    report = trueasync.report()

    assert (report.runs, report.coroutines) == ((), [])
    assert str(report) == "no trueasync run is going on in this process"


def test_each_coroutine_is_there_with_its_state(run):
    def main():
        trueasync.options(name="waits").spawn(trueasync.sleep, 60)
        ready = trueasync.options(name="goes on").spawn(trueasync.suspend)
        trueasync.suspend()
        trueasync.options(name="begins").spawn(int)
        states = {one.name: one.state for one in trueasync.report().coroutines}
        ready.result()
        trueasync.get_coroutines()[1].cancel()
        return states

    states = run(main)
    states["main"] = states.pop(next(name for name in states if "main" in name))
    assert states == {"main": "running", "waits": "waiting", "goes on": "ready", "begins": "new"}


def test_a_coroutine_that_waits_says_where_and_for_what(run):
    def inner():
        trueasync.sleep(60)

    def outer():
        inner()

    def main():
        coroutine = trueasync.options(name="outer").spawn(outer)
        trueasync.suspend()
        one = by_name(trueasync.report())["outer"]
        coroutine.cancel()
        return one

    one = run(main)
    assert one.spawned_at == line_of(main, 1)
    assert [str(frame) for frame in one.stack] == [
        f"{line_of(outer, 1)} in outer",
        f"{line_of(inner, 1)} in inner",
    ]
    assert one.waits_for == ("a timer of 60 s",)
    assert one.stack[-1] == Frame(__file__, inner.__code__.co_firstlineno + 1, "inner")


def test_the_one_that_asks_is_shown_where_it_asks(run):
    def main():
        return trueasync.report().coroutines[0]

    one = run(main)
    assert one.state == "running"
    assert one.stack[-1].function == "main"


def test_it_is_data_for_json_too(run):
    def main():
        trueasync.spawn(trueasync.suspend)
        return trueasync.report()

    report = run(main)
    (told,) = json.loads(json.dumps(report.as_dict()))["runs"]
    assert told["phase"] == "running"
    assert told["coroutines"][1]["name"] == "suspend"
    assert told["coroutines"][0]["stack"][0]["function"] == "main"


def test_a_report_keeps_no_coroutine_alive(run):
    def fails():
        raise ValueError("judged in time")

    def main():
        trueasync.spawn(fails)
        report = trueasync.report()
        trueasync.sleep(60)
        return report

    with pytest.raises(ValueError, match="judged in time"):
        run(main)


def test_an_event_that_cannot_say_what_it_is_does_not_spoil_the_report(run):
    class Broken(Event):
        def info(self):
            raise LookupError("no words")

        def held_up_by(self):
            raise LookupError("nobody")

    def main():
        broken = Broken()
        coroutine = trueasync.options(name="waits").spawn(wait, broken)
        trueasync.suspend()
        one = by_name(trueasync.report())["waits"]
        coroutine.cancel()
        return one.waits_for

    assert run(main) == ("Broken (its info() failed: LookupError('no words'))",)


def test_a_greenlet_inside_a_coroutine_is_shown_with_what_it_was_started_on(run):
    from greenlet import greenlet

    def inside():
        trueasync.sleep(60)

    def outside():
        greenlet(inside).switch()

    def main():
        coroutine = trueasync.options(name="nested").spawn(outside)
        trueasync.suspend()
        one = by_name(trueasync.report())["nested"]
        coroutine.cancel()
        return [frame.function for frame in one.stack]

    assert run(main) == ["outside", "inside"]


# -- cycles ---------------------------------------------------------------------------------


def test_a_cycle_beside_one_that_goes_on_is_found(run):
    def main():
        held = {}
        held["a"] = trueasync.options(name="a").spawn(lambda: held["b"].result())
        held["b"] = trueasync.options(name="b").spawn(lambda: held["a"].result())
        trueasync.options(name="server").spawn(trueasync.sleep, 60)
        trueasync.suspend()
        (run,) = trueasync.report().runs
        for coroutine in trueasync.get_coroutines()[1:]:
            coroutine.cancel()
        return [[one.name for one in cycle] for cycle in run.cycles]

    assert run(main) == [["a", "b"]]


def test_a_cycle_through_what_its_holder_holds_up_is_found(run):
    def main():
        first = trueasync.options(name="first").spawn(lambda: wait(Held(second)))
        second = trueasync.options(name="second").spawn(lambda: wait(Held(first)))
        trueasync.suspend()
        text = str(trueasync.report())
        first.cancel()
        second.cancel()
        return text

    assert "\n  a cycle: first waits for second, second waits for first\n" in run(main)


@pytest.mark.parametrize("escape", ["a timer", "an event nobody can tell about", "a sleeper"])
def test_whoever_has_a_way_out_is_in_no_cycle(run, escape):
    def main():
        sleeper = trueasync.spawn(trueasync.sleep, 60)
        ways = {
            "a timer": lambda: running_scheduler("test").reactor.timer(60),
            "an event nobody can tell about": Event,
            "a sleeper": lambda: Held(sleeper),
        }
        first = trueasync.spawn(lambda: wait(Held(second), ways[escape]()))
        second = trueasync.spawn(lambda: wait(Held(first)))
        trueasync.suspend()
        (run,) = trueasync.report().runs
        for one in (sleeper, first, second):
            one.cancel()
        return run.cycles

    assert run(main) == ()


def test_what_several_hold_up_is_stuck_as_soon_as_one_of_them_is(run):
    def main():
        sleeper = trueasync.spawn(trueasync.sleep, 60)
        parent = trueasync.options(name="parent").spawn(lambda: wait(Held(sleeper, child)))
        child = trueasync.options(name="child").spawn(lambda: wait(Held(parent)))
        trueasync.suspend()
        (run,) = trueasync.report().runs
        for one in (sleeper, parent, child):
            one.cancel()
        return [[one.name for one in cycle] for cycle in run.cycles]

    assert run(main) == [["parent", "child"]]


def test_a_chain_of_10_000_is_followed_to_its_end():
    def main():
        before = trueasync.spawn(trueasync.sleep, 1)
        for _ in range(10_000):
            before = trueasync.spawn(before.result)
        trueasync.suspend()
        (run,) = trueasync.report().runs
        return run.cycles, len(run.coroutines)

    assert run_virtual(main) == ((), 10_002)


# -- from elsewhere -------------------------------------------------------------------------


def test_another_thread_sees_a_run_whose_thread_is_busy():
    held, told = threading.Event(), []

    def blocks_the_thread():
        held.wait()

    def main():
        trueasync.options(name="sleeper").spawn(trueasync.sleep, 60)
        trueasync.suspend()
        watcher = threading.Thread(target=look)
        watcher.start()
        blocks_the_thread()
        watcher.join()
        trueasync.get_coroutines()[1].cancel()

    def look():
        while "blocks_the_thread" not in str(trueasync.report()):
            pass
        told.append(trueasync.report())
        held.set()

    run_virtual(main)
    (report,) = told
    main_report, sleeper = report.coroutines
    assert main_report.state == "running"
    assert "blocks_the_thread" in [frame.function for frame in main_report.stack]
    assert sleeper.waits_for == ("a timer of 60 s",)


def test_runs_of_several_threads_are_all_there_ones_own_first():
    inside, done = threading.Event(), threading.Event()

    def other():
        inside.set()
        done.wait()

    thread = threading.Thread(target=run_virtual, args=(other,), name="the other")
    thread.start()
    inside.wait()
    report = run_virtual(trueasync.report)
    done.set()
    thread.join()

    assert [run.thread for run in report.runs] == ["thread MainThread", "thread the other"]


def test_a_signal_handler_sees_the_run_that_it_interrupts(run):
    told = []

    def work():
        signal.raise_signal(signal.SIGUSR1)

    def main():
        before = signal.signal(signal.SIGUSR1, lambda *_: told.append(trueasync.report()))
        try:
            trueasync.options(name="work").spawn(work).result()
        finally:
            signal.signal(signal.SIGUSR1, before)

    run(main)
    one = by_name(told[0])["work"]
    assert "work" in [frame.function for frame in one.stack]


def test_reports_from_another_thread_do_not_disturb_what_they_look_at(seeds):
    """The other thread looks all the time, while coroutines begin, wait and end."""
    reports, stop = [], threading.Event()

    def look():
        while not stop.is_set():
            reports.append(str(trueasync.report()))

    def body(n):
        for _ in range(n):
            trueasync.suspend()
        trueasync.sleep(n)
        return n

    def main():
        return [one.result() for one in [trueasync.spawn(body, n % 7) for n in range(20)]]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in seeds:
            assert run_virtual(main) == [n % 7 for n in range(20)]
    finally:
        stop.set()
        watcher.join()
        sys.setswitchinterval(before)
    assert reports


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_child_of_a_fork_does_not_report_the_runs_of_other_threads(python):
    ended = python(
        "import os, threading, trueasync\n"
        "inside, done = threading.Event(), threading.Event()\n"
        "def other():\n"
        "    inside.set()\n"
        "    done.wait()\n"
        "thread = threading.Thread(target=trueasync.run, args=(other,))\n"
        "thread.start()\n"
        "inside.wait()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    print(trueasync.report(), flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "done.set()\n"
    )

    assert ended.stdout == "no trueasync run is going on in this process\n"

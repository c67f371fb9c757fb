"""Deadlock: who waits for what is said, everyone is cancelled, and run raises."""

import inspect

import pytest

import trueasync
from trueasync import Cancelled, DeadlockError
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler


class Doorbell(Event):
    def info(self):
        return "a doorbell nobody rings"


def wait(*events):
    running_scheduler("test").wait(*events)


def next_line():
    frame = inspect.currentframe().f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno + 1}"


def test_one_that_waits_for_what_nobody_fires_is_a_deadlock(run):
    with pytest.raises(DeadlockError):
        run(lambda: wait(Event()))


def test_the_report_names_each_coroutine_its_places_and_what_it_waits_for(run):
    places = {}

    def listener():
        scheduler = running_scheduler("test")
        places["waits"] = next_line()
        scheduler.wait(Doorbell())

    def main():
        places["spawned"] = next_line()
        coroutine = trueasync.options(name="door").spawn(listener)
        coroutine.result()

    with pytest.raises(DeadlockError) as raised:
        run(main)
    text = str(raised.value)
    assert text.startswith("2 waiting, and nothing that could wake any of them\n")
    assert f"door: spawned at {places['spawned']}\n" in text
    assert f"waits at {places['waits']} in listener\n" in text
    assert "for a doorbell nobody rings" in text
    assert "for the end of door" in text


def test_the_report_names_every_event_of_a_wait(run):
    def main():
        other = trueasync.options(name="other").spawn(wait, Event())
        wait(Doorbell(), other, [Event()])

    with pytest.raises(DeadlockError) as raised:
        run(main)
    lines = [line.strip() for line in str(raised.value).splitlines()]
    start = lines.index("for a doorbell nobody rings")
    assert lines[start : start + 3] == [
        "for a doorbell nobody rings",
        "for the end of other",
        "for event",
    ]


def test_two_that_wait_for_each_other_are_both_named(run):
    def main():
        held = {}
        held["a"] = trueasync.options(name="a").spawn(lambda: held["b"].result())
        held["b"] = trueasync.options(name="b").spawn(lambda: held["a"].result())

    with pytest.raises(DeadlockError) as raised:
        run(main)
    assert "\n  a cycle: a waits for b, b waits for a\n" in str(raised.value)
    assert "for the end of a" in str(raised.value)
    assert "for the end of b" in str(raised.value)


def test_a_report_of_many_is_short(run):
    def main():
        for number in range(1000):
            trueasync.options(name=f"worker {number}").spawn(wait, Event())

    with pytest.raises(DeadlockError, match=r"^1000 waiting") as raised:
        run(main)
    assert "\n  1,000 x worker …: spawned at " in str(raised.value)
    assert len(str(raised.value).splitlines()) == 4


def test_a_cycle_through_an_event_of_several_is_named(run):
    def main():
        held = {}
        held["a"] = trueasync.options(name="a").spawn(lambda: wait(Event(), held["b"]))
        held["b"] = trueasync.options(name="b").spawn(lambda: held["a"].result())

    with pytest.raises(DeadlockError, match="a cycle: a waits for b, b waits for a"):
        run(main)


def test_one_who_only_waits_for_somebody_in_a_cycle_is_not_named_as_part_of_it(run):
    def main():
        held = {}
        held["a"] = trueasync.options(name="a").spawn(lambda: held["b"].result())
        held["b"] = trueasync.options(name="b").spawn(lambda: held["a"].result())
        trueasync.options(name="c").spawn(held["a"].result)

    with pytest.raises(DeadlockError) as raised:
        run(main)
    assert str(raised.value).count("a cycle:") == 1
    assert "c waits for" not in str(raised.value)


def test_a_long_cycle_is_named_by_its_beginning_and_its_end(run):
    def main():
        coroutines = []
        for number in range(100):
            trueasync.options(name=f"n{number}").spawn(
                lambda number=number: coroutines[(number + 1) % 100].result()
            )
        coroutines.extend(trueasync.get_coroutines()[1:])

    with pytest.raises(DeadlockError) as raised:
        run(main)
    assert "a cycle: n0 waits for n1, n1 waits for n2, " in str(raised.value)
    assert ", ... 89 more ..., n99 waits for n0\n" in str(raised.value)


def test_everyone_is_cancelled_and_may_clean_up_before_run_raises(run):
    done = []

    def body(name):
        try:
            wait(Event())
        except Cancelled:
            trueasync.sleep(0.001)
            done.append(name)
            raise

    def main():
        for name in "abc":
            trueasync.spawn(body, name)
        body("main")

    with pytest.raises(DeadlockError):
        run(main)
    assert sorted(done) == ["a", "b", "c", "main"]


def test_a_deadlock_during_the_clean_up_goes_hard(run):
    seen = []

    def body():
        try:
            wait(Event())
        finally:
            try:
                wait(Event())
            except Cancelled:
                seen.append("cancelled again")
                raise

    with pytest.raises(DeadlockError):
        run(lambda: trueasync.spawn(body) and None)
    assert seen == ["cancelled again"]


def test_main_may_catch_the_cancellation_and_run_raises_all_the_same(run):
    def main():
        try:
            wait(Event())
        except Cancelled:
            return "value"

    with pytest.raises(DeadlockError):
        run(main)


def test_errors_of_the_clean_ups_are_not_lost(run):
    def body():
        try:
            wait(Event())
        finally:
            raise OSError("while closing")

    with pytest.raises(DeadlockError) as raised:
        run(lambda: trueasync.spawn(body) and None)
    assert repr(raised.value.__cause__) == "OSError('while closing')"


def test_an_armed_timer_is_no_deadlock(run):
    def main():
        timer = running_scheduler("test").reactor.timer(0.001)
        wait(Event(), timer)
        return timer.fired

    assert run(main)


def test_a_stopped_timer_is_no_reason_to_go_on_waiting(run):
    def main():
        timer = running_scheduler("test").reactor.timer(3600)
        timer.start()
        timer.stop()
        wait(Event())

    with pytest.raises(DeadlockError):
        run(main)


def test_a_hidden_timer_is_no_reason_to_go_on_waiting(run):
    def main():
        timer = running_scheduler("test").reactor.timer(3600)
        timer.hide()
        wait(timer)

    with pytest.raises(DeadlockError, match="for a timer of 3600 s"):
        run(main)


def test_a_hidden_timer_that_is_due_is_looked_at_before_a_deadlock_is_declared(run):
    def main():
        timer = running_scheduler("test").reactor.timer(0)
        timer.hide()
        wait(timer)
        return "woken"

    assert run(main) == "woken"


def test_a_microtask_that_wakes_somebody_is_no_deadlock(run):
    from trueasync.scheduler.microtasks import Microtask

    def main():
        event = Event()
        running_scheduler("test").add_microtask(Microtask(event.fire))
        wait(event)
        return "woken"

    assert run(main) == "woken"


def test_a_coroutine_that_never_started_is_no_deadlock(run):
    def main():
        trueasync.spawn(int).cancel()

    run(main)


def test_a_run_after_a_deadlock_is_like_any_other(run):
    with pytest.raises(DeadlockError):
        run(lambda: wait(Event()))

    assert run(lambda: trueasync.spawn(lambda: "fine").result()) == "fine"


def test_a_deadlock_is_found_under_every_schedule(seeds):
    from trueasync.testing import run

    def main():
        events = [Event() for _ in range(4)]

        def philosopher(n):
            trueasync.suspend()
            wait(events[n])
            events[(n + 1) % 4].fire()

        for n in range(4):
            trueasync.spawn(philosopher, n)

    for _ in seeds:
        with pytest.raises(DeadlockError, match=r"^4 waiting"):
            run(main)

"""run, stats and on_main_start: one scheduler and one reactor put together."""

import gc
import os
import signal

import pytest

import trueasync
from trueasync import runtime
from trueasync.reactor.base import Reactor
from trueasync.runtime import run_on
from trueasync.scheduler.scheduler import Scheduler
from trueasync.testing import VirtualReactor


def test_run_returns_what_main_returned(run):
    assert run(lambda *args, **kwargs: (args, kwargs), 1, 2, three=3) == ((1, 2), {"three": 3})


def test_run_passes_on_arguments_called_like_its_own(run):
    def main(**named):
        return named

    assert run(main, function=1, reactor=2) == {"function": 1, "reactor": 2}


def test_main_is_a_coroutine_like_any_other(run):
    def main():
        me = trueasync.current_coroutine()
        trueasync.suspend()
        return type(me) is trueasync.Coroutine and me.state == "running" and me.number == 0

    assert run(main)


def test_runs_may_follow_each_other(run):
    assert [run(lambda n=n: n) for n in range(20)] == list(range(20))


def test_a_thousand_runs_leave_nothing_behind(run):
    def main():
        trueasync.spawn(trueasync.sleep, 60).cancel()
        trueasync.spawn(int).result(timeout=60)

    for _ in range(1000):
        run(main)

    gc.collect()
    assert not [o for o in gc.get_objects() if issubclass(type(o), (Scheduler, Reactor))]


def test_runs_that_fail_leave_nothing_behind(run):
    def main():
        trueasync.spawn(trueasync.sleep, 60)
        trueasync.suspend()
        raise ZeroDivisionError

    for _ in range(20):
        with pytest.raises(ZeroDivisionError):
            run(main)

    gc.collect()
    assert not [o for o in gc.get_objects() if issubclass(type(o), (Scheduler, Reactor))]


def test_a_run_leaves_no_descriptor_open():
    def descriptors():
        return len(os.listdir("/dev/fd"))

    before = descriptors()
    for _ in range(20):
        trueasync.run(trueasync.sleep, 0.0001)

    assert descriptors() == before


def test_stats_count_what_they_say(run):
    def main():
        for _ in range(3):
            trueasync.spawn(trueasync.sleep, 0.001)
        trueasync.suspend()
        stats = trueasync.stats()
        trueasync.sleep(0.01)
        return stats, trueasync.stats()

    during, after = run(main)
    assert {key: during[key] for key in ("coroutines", "spawned", "ready", "active_events")} == {
        "coroutines": 4,
        "spawned": 4,
        "ready": 0,
        "active_events": 3,
    }
    assert (during["contexts_in_use"], during["contexts_created"]) == (4, 4)
    assert (after["coroutines"], after["active_events"], after["contexts_in_use"]) == (1, 0, 1)
    assert all(isinstance(value, int) for value in after.values())


def test_stats_of_a_new_run_start_at_nothing(run):
    run(lambda: [trueasync.spawn(trueasync.suspend) for _ in range(100)] and None)

    stats = run(trueasync.stats)

    assert (stats["spawned"], stats["contexts_created"], stats["ready"]) == (1, 1, 0)


def test_a_failing_run_prints_the_schedule_that_brings_it_back(monkeypatch, capsys):
    monkeypatch.setenv("TRUEASYNC_SCHED", "random:42")

    with pytest.raises(ZeroDivisionError):
        trueasync.testing.run(lambda: 1 / 0)

    assert "TRUEASYNC_SCHED=random:42" in capsys.readouterr().err


def test_a_failing_run_in_the_usual_order_prints_nothing(capsys):
    with pytest.raises(ZeroDivisionError):
        trueasync.testing.run(lambda: 1 / 0)

    assert capsys.readouterr().err == ""


def test_a_schedule_that_does_not_exist_is_refused(monkeypatch):
    monkeypatch.setenv("TRUEASYNC_SCHED", "sorted:1")

    with pytest.raises(ValueError, match="random:SEED, pct:SEED or fifo"):
        trueasync.testing.run(int)


def test_the_handler_of_ctrl_c_is_put_back(run):
    before = signal.getsignal(signal.SIGINT)

    run(int)
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 / 0)

    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_raises_in_main_even_while_another_runs(run):
    seen = []

    def other():
        signal.raise_signal(signal.SIGINT)
        seen.append("the other goes on")

    def main():
        trueasync.spawn(other)
        try:
            trueasync.sleep(60)
        except KeyboardInterrupt:
            seen.append("main is interrupted")
            return "value"

    assert run(main) == "value"
    assert seen == ["the other goes on", "main is interrupted"]


def test_ctrl_c_while_main_runs_raises_there_at_once(run):
    def main():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return "went on"

    assert run(main) == "went on"


def test_ctrl_c_that_main_does_not_take_ends_the_run(run):
    cleaned_up = []

    def other():
        try:
            trueasync.sleep(60)
        finally:
            cleaned_up.append(True)

    def main():
        trueasync.spawn(other)
        trueasync.spawn(signal.raise_signal, signal.SIGINT)
        trueasync.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        run(main)
    assert cleaned_up == [True]


def test_ctrl_c_after_main_has_ended_ends_the_run(run):
    def interrupts():
        trueasync.sleep(0.001)
        signal.raise_signal(signal.SIGINT)
        trueasync.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        run(lambda: trueasync.spawn(interrupts) and None)


def test_a_second_ctrl_c_before_main_has_had_the_first_is_raised_at_once(run):
    seen = []

    def other():
        signal.raise_signal(signal.SIGINT)
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            seen.append("at once")

    def main():
        trueasync.spawn(other)
        with pytest.raises(KeyboardInterrupt):
            trueasync.sleep(60)
        return "value"

    assert run(main) == "value"
    assert seen == ["at once"]


def test_a_handler_of_ctrl_c_that_was_there_before_is_left_alone(run):
    numbers = []
    before = signal.signal(signal.SIGINT, lambda number, frame: numbers.append(number))
    try:
        run(lambda: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)

    assert numbers == [signal.SIGINT]


def test_a_reactor_of_ones_own_is_used_and_closed():
    class Own(VirtualReactor):
        closed = False

        def close(self):
            self.closed = True

    reactor = Own()

    assert run_on(reactor, lambda: trueasync.sleep(5) or reactor.now()) == 5
    assert reactor.closed


def test_what_every_main_gets_is_kept_in_one_list():
    assert runtime.main_handlers == []


def test_everything_public_is_there_and_has_a_docstring():
    for name in trueasync.__all__:
        assert getattr(trueasync, name).__doc__, name


@pytest.mark.parametrize(
    "name", ["run", "spawn", "suspend", "sleep", "current_coroutine", "get_coroutines", "stats"]
)
def test_every_public_function_says_whether_it_suspends(name):
    text = getattr(trueasync, name).__doc__

    assert any(word in text for word in ("Suspends the coroutine", "Never suspends", "Blocks the"))

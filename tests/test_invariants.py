"""The invariants of the design (section 5) about who runs where, and when: 1, 2, 4, 5, 6, 9.

Descriptors, sockets and processes come later; until then an invariant that speaks of them is
shown with what there is: timers, ends of coroutines, and events with several listeners.
The others are in test_invariants_of_waiting.py.
"""

import gc
import time

import pytest

import trueasync
from trueasync import Cancelled, DeadlockError, UsageError
from trueasync.events.event import Event, Listener
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def wait(*events):
    first, *rest = events
    scheduler = running_scheduler("test")
    return scheduler.wait(first, rest[0] if rest else None, rest[1:] or None)


def timer(seconds):
    return running_scheduler("test").reactor.timer(seconds)


class Does(Listener):
    """Does what it was given, when it is told."""

    def __init__(self, action):
        self.action = action

    def notify(self, event):
        self.action()
        return True


# 1. No switch inside a callback of the reactor, ever.


@pytest.mark.parametrize("others_yield", [False, True], ids=["polled at home", "polled in a tick"])
def test_1_a_callback_only_fires_events_and_events_only_fill_the_ready_queue(run, others_yield):
    def main():
        heard = []
        wakes = Event()
        waiters = [trueasync.spawn(wait, wakes) for _ in range(3)]
        trueasync.suspend()

        def callback():
            before = trueasync.stats()
            wakes.fire()
            trueasync.spawn(int)
            waiters[0].cancel()
            after = trueasync.stats()
            heard.append(after["switches"] - before["switches"])
            heard.append(after["ready"] - before["ready"])
            heard.append([waiter.state for waiter in waiters])
            with pytest.raises(UsageError):
                trueasync.suspend()

        alarm = timer(0)
        alarm.add_listener(Does(callback))
        alarm.start()
        while others_yield and not heard:
            trueasync.suspend()
        trueasync.sleep(0.001)
        alarm.stop()
        return heard

    assert run(main) == [0, 4, ["ready", "ready", "ready"]]


def test_1_registrations_are_cleaned_up_by_the_woken_one_and_not_in_the_callback():
    def main():
        calls = []

        class Recorded(Event):
            def disarm(self):
                calls.append("disarm")

        first, second = Recorded(), Recorded()
        waiter = trueasync.spawn(wait, first, second)
        trueasync.suspend()
        first.fire()
        in_callback = list(calls), first.starts, second.starts
        waiter.result()
        return in_callback, (calls, first.starts, second.starts)

    # `first` disarms itself as it fires; what it was waited for together with is left alone.
    assert run_virtual(main) == ((["disarm"], 1, 1), (["disarm", "disarm"], 0, 0))


# 2. Every parked coroutine is held by its scheduler.


def test_2_a_parked_coroutine_nobody_else_holds_goes_on(seeds):
    def main():
        ended = []

        def body(n):
            trueasync.suspend()
            wait(Event(), timer(n))
            trueasync.spawn(trueasync.sleep, n)
            ended.append(n)

        for n in range(8):
            trueasync.spawn(body, n)
        for _ in range(4):
            trueasync.suspend()
        trueasync.sleep(20)
        return sorted(ended)

    before = gc.get_threshold()
    gc.set_threshold(50)
    try:
        for _ in seeds:
            assert run_virtual(main) == list(range(8))
    finally:
        gc.set_threshold(*before)


def test_2_one_that_waits_for_what_only_it_knows_is_neither_lost_nor_thrown_into(run):
    seen = []

    def body():
        try:
            wait(Event())
        except BaseException as error:
            seen.append(type(error))
            raise

    def main():
        trueasync.options(name="forgotten").spawn(body)
        trueasync.suspend()
        for _ in range(3):
            gc.collect()
        assert seen == []
        return [coroutine.name for coroutine in trueasync.get_coroutines()]

    with pytest.raises(DeadlockError, match="forgotten"):
        run(main)
    assert seen == [Cancelled]


# 4. After registering, the condition is tested again before parking.


class FiresWhenArmed(Event):
    """What it was given has happened, as one finds out by starting it."""

    def __init__(self, *others):
        self.others = others

    def arm(self):
        for event in self.others or [self]:
            event.fire("found by starting")


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_4_an_event_that_has_happened_by_the_time_it_is_started_ends_the_wait(run, count):
    def main():
        found = []
        for place in range(count):
            events = [Event() for _ in range(count)]
            events[place] = FiresWhenArmed()
            switches = trueasync.stats()["switches"]
            found.append(wait(*events) is events[place])
            assert trueasync.stats()["switches"] == switches
            assert [event.starts for event in events] == [0] * count
        return found

    assert run(main) == [True] * count


@pytest.mark.parametrize("count", [2, 3, 5])
def test_4_an_earlier_event_fired_while_a_later_one_is_started_ends_the_wait(run, count):
    def main():
        found = []
        for place in range(1, count):
            events = [Event() for _ in range(count)]
            events[place] = FiresWhenArmed(events[0])
            switches = trueasync.stats()["switches"]
            found.append(wait(*events) is events[0])
            assert trueasync.stats()["switches"] == switches
            assert [event.starts for event in events] == [0] * count
        return found

    assert run(main) == [True] * (count - 1)


# 5. Work in flight owns what it needs; only its completion lets go of it.


def test_5_a_timer_that_nobody_holds_fires_all_the_same(run):
    def main():
        fired = Event()

        def start_and_forget():
            alarm = timer(0.001)
            alarm.add_listener(Does(fired.fire))
            alarm.start()

        start_and_forget()
        gc.collect()
        wait(fired)
        return fired.fired

    assert run(main)


def test_5_the_end_of_a_run_wakes_everyone_with_a_status_of_its_own(run):
    statuses = []

    def body(*events):
        try:
            wait(*events)
        except Cancelled as cancelled:
            statuses.append(str(cancelled))
            raise

    def main():
        trueasync.spawn(body, timer(60))
        trueasync.spawn(body, trueasync.spawn(trueasync.sleep, 60))
        trueasync.spawn(body, Event(), timer(60), Event(), Event())
        trueasync.suspend()
        raise ValueError("the end")

    with pytest.raises(ValueError, match="the end"):
        run(main)
    assert statuses == ["the run is shut down by ValueError('the end')"] * 3


def test_5_a_coroutine_that_nobody_waits_for_any_more_goes_on(seeds):
    """Whoever gives up waiting takes nothing away from what he waited for."""

    def main():
        ended = []
        work = trueasync.spawn(lambda: trueasync.sleep(5) or ended.append("work"))

        def impatient(it, seconds):
            with pytest.raises(TimeoutError):
                it.result(timeout=seconds)

        for n in range(4):
            trueasync.spawn(impatient, work, n)
            trueasync.spawn(work.result).cancel()
        del work
        trueasync.sleep(10)
        return ended

    for _ in seeds:
        assert run_virtual(main) == ["work"]


# 6. Relative timeouts are armed against a refreshed clock.


def test_6_a_timeout_counts_from_the_moment_it_is_armed_however_busy_it_was_before():
    """libuv's own clock stands still between turns of its loop."""

    def main():
        trueasync.sleep(0.001)
        busy_until = time.monotonic() + 0.03
        while time.monotonic() < busy_until:
            pass
        start = time.monotonic()
        trueasync.sleep(0.02)
        return time.monotonic() - start

    assert trueasync.run(main) >= 0.02


def test_6_one_made_early_and_waited_for_late_counts_from_the_wait():
    def main():
        clock = running_scheduler("test").reactor
        late = timer(3)
        trueasync.sleep(10)
        wait(late)
        return clock.now()

    assert run_virtual(main) == 13


# 9. An exception in a callback is kept, and raised from the poll.


def fails():
    raise OSError("in a callback")


@pytest.mark.parametrize("others_yield", [False, True], ids=["polled at home", "polled in a tick"])
def test_9_what_a_callback_raises_is_raised_by_run_and_not_printed(run, capfd, others_yield):
    def main():
        alarm = timer(0)
        alarm.add_listener(Does(fails))
        alarm.start()
        while others_yield:
            trueasync.suspend()
        trueasync.sleep(60)

    with pytest.raises(OSError, match="in a callback"):
        run(main)
    assert capfd.readouterr() == ("", "")


def test_9_a_callback_that_raises_does_not_swallow_what_fires_with_it(run):
    def main():
        heard = []
        alarms = [timer(0.001) for _ in range(4)]
        alarms[1].add_listener(Does(fails))
        for n, alarm in enumerate(alarms):
            alarm.add_listener(Does(lambda n=n: heard.append(n)))
            alarm.start()
        try:
            wait(Event())
        finally:
            trueasync.sleep(0.01)
            assert heard == [0, 1, 2, 3]

    with pytest.raises(OSError, match="in a callback"):
        run(main)

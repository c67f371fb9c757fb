"""One wait for one, two or more events: who wins, and what is left of the registrations."""

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run


class Recorded(Event):
    """Counts how often it is armed and disarmed."""

    def __init__(self):
        self.armed_now = 0

    def arm(self):
        self.armed_now += 1

    def disarm(self):
        self.armed_now -= 1


def wait(*events):
    first, *rest = events
    scheduler = running_scheduler("test")
    return scheduler.wait(first, rest[0] if rest else None, rest[1:] or None)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_the_event_that_fires_wins(count):
    def main():
        winners = []
        for chosen in range(count):
            events = [Event() for _ in range(count)]
            waiter = trueasync.spawn(wait, *events)
            trueasync.suspend()
            events[chosen].fire()
            winners.append(waiter.result() is events[chosen])
        return winners

    assert run(main) == [True] * count


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_an_event_that_has_fired_already_wins_without_a_switch(count):
    def main():
        winners = []
        for chosen in range(count):
            events = [Event() for _ in range(count)]
            events[chosen].fire()
            switches = trueasync.stats()["switches"]
            winners.append(wait(*events) is events[chosen])
            assert trueasync.stats()["switches"] == switches
        return winners

    assert run(main) == [True] * count


def test_of_several_that_have_fired_the_first_in_order_wins():
    def main():
        events = [Event() for _ in range(4)]
        events[3].fire()
        events[1].fire()
        return events.index(wait(*events))

    assert run(main) == 1


def test_no_event_is_active_before_the_wait():
    def main():
        event = Recorded()
        waiter = trueasync.spawn(wait, event)
        before = event.armed_now
        trueasync.suspend()
        during = event.armed_now
        event.fire()
        waiter.result()
        return before, during, event.armed_now

    assert run(main) == (0, 1, 0)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
@pytest.mark.parametrize("how", ["fired", "cancelled"])
def test_after_the_wait_every_event_is_stopped(count, how):
    def main():
        events = [Recorded() for _ in range(count)]
        waiter = trueasync.spawn(wait, *events)
        trueasync.suspend()
        assert [event.starts for event in events] == [1] * count

        if how == "fired":
            events[-1].fire()
        else:
            waiter.cancel()
        trueasync.suspend()

        assert waiter.done()
        return [(event.starts, event.armed_now) for event in events]

    assert run(main) == [(0, 0)] * count


def test_after_a_wait_that_never_parked_every_event_is_stopped():
    def main():
        events = [Recorded() for _ in range(5)]
        events[2].fire()
        wait(*events)
        return [(event.starts, event.armed_now) for event in events]

    assert run(main) == [(0, 0)] * 5


def test_events_behind_one_that_has_fired_are_never_started():
    class Unstartable(Event):
        def arm(self):
            raise AssertionError("started")

    def main():
        fired = Event()
        fired.fire()
        wait(Event(), fired, Unstartable(), Unstartable())

    run(main)


def test_when_one_event_cannot_be_started_those_before_it_are_stopped():
    class Broken(Recorded):
        def arm(self):
            super().arm()
            raise OSError("no such device")

    def main():
        good, broken, never = Recorded(), Broken(), Recorded()
        with pytest.raises(OSError, match="no such device"):
            wait(good, broken, never)
        return [event.starts for event in (good, broken, never)], good.armed_now

    assert run(main) == ([0, 0, 0], 0)


def test_when_one_event_cannot_be_stopped_the_others_are():
    class Broken(Recorded):
        def disarm(self):
            super().disarm()
            raise OSError("no such device")

    def main():
        events = [Broken(), Recorded(), Recorded(), Recorded()]
        waiter = trueasync.spawn(wait, *events)
        trueasync.suspend()
        events[-1].fire()
        with pytest.raises(OSError, match="no such device"):
            waiter.result()
        return [event.starts for event in events]

    assert run(main) == [0, 0, 0, 0]


def test_the_same_event_twice_is_as_good_as_once():
    def main():
        event = Recorded()
        waiter = trueasync.spawn(wait, event, event, event)
        trueasync.suspend()
        event.fire()
        assert waiter.result() is event
        return event.starts, event.armed_now

    assert run(main) == (0, 0)


def test_one_event_wakes_all_who_wait_in_the_order_they_came():
    def main():
        event, order = Event(), []

        def waiter(name):
            wait(event)
            order.append(name)

        coroutines = [trueasync.spawn(waiter, name) for name in "abcde"]
        trueasync.suspend()
        event.fire()
        for coroutine in coroutines:
            coroutine.result()
        return order

    assert run(main) == list("abcde")


def test_a_second_event_that_fires_before_the_woken_one_runs_changes_nothing():
    def main():
        first, second = Event(), Event()
        waiter = trueasync.spawn(wait, first, second)
        trueasync.suspend()

        second.fire()
        first.fire()

        return waiter.result() is second

    assert run(main)


def test_an_event_of_an_earlier_wait_does_not_end_a_later_one():
    def main():
        early, late = Event(), Event()
        reached = []

        def waiter():
            wait(early, late)
            reached.append("first")
            wait(Event(), late)
            reached.append("second")

        coroutine = trueasync.spawn(waiter)
        trueasync.suspend()
        early.fire()
        trueasync.suspend()
        trueasync.suspend()
        assert reached == ["first"]
        late.fire()
        coroutine.result()
        return reached

    assert run(main) == ["first", "second"]


def test_a_waiter_is_woken_by_whoever_is_first_under_every_schedule(seeds):
    def main():
        events = [Event() for _ in range(4)]
        waiters = [trueasync.spawn(wait, *events) for _ in range(5)]
        for event in events:
            trueasync.spawn(event.fire)
        winners = [waiter.result() for waiter in waiters]
        assert all(winner.fired for winner in winners)
        assert [event.starts for event in events] == [0] * 4

    for _ in seeds:
        run(main)


def seconds_to_cancel(count):
    import time

    def main():
        event = Event()
        waiters = [trueasync.spawn(wait, event) for _ in range(count)]
        trueasync.suspend()
        start = time.process_time()
        for waiter in waiters:
            waiter.cancel()
        trueasync.suspend()
        assert all(waiter.cancelled() for waiter in waiters)
        return time.process_time() - start

    return run(main)


def test_cancelling_100_000_who_wait_for_one_event_is_not_quadratic():
    few = min(seconds_to_cancel(5_000) for _ in range(3))
    many = seconds_to_cancel(100_000)

    # 20 times as many; quadratic would be 400 times as long.
    assert many < few * 120 + 0.1

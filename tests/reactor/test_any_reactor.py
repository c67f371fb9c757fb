"""What a scheduler may rely on, whichever reactor it has: one suite for all of them."""

import pytest

from trueasync.events.event import Listener
from trueasync.reactor.base import Reactor, ReactorEvent
from trueasync.reactor.reactor import UvReactor
from trueasync.testing import VirtualReactor


class Recorder(Listener):
    """Notes in a common list that it was told, then raises if it was given an error."""

    def __init__(self, told, name, error=None):
        self.told = told
        self.name = name
        self.error = error

    def notify(self, event):
        self.told.append(self.name)
        if self.error is not None:
            raise self.error
        return True


@pytest.fixture(params=[UvReactor, VirtualReactor], ids=["libuv", "virtual"])
def reactor_class(request):
    return request.param


def started(reactor, delay, told=None, error=None, hidden=False):
    """A running timer, which notes its delay in `told` when it fires."""
    timer = reactor.timer(delay)
    if hidden:
        timer.hide()
    if told is not None:
        timer.add_listener(Recorder(told, delay, error))
    timer.start()
    return timer


def poll_until_idle(reactor):
    while reactor.active:
        reactor.poll(True)


# -- timers ------------------------------------------------------------------------------


def test_a_timer_fires_when_its_time_has_come_and_not_before(reactor):
    start = reactor.now()
    timer = started(reactor, 0.003)
    reactor.poll(False)
    early = timer.fired and reactor.now() < start + 0.003

    poll_until_idle(reactor)

    assert not early
    assert timer.fired
    assert reactor.now() >= start + 0.003


def test_timers_fire_in_the_order_of_their_deadlines(reactor):
    told = []
    for delay in (0.004, 0.001, 0.003, 0.0, 0.002):
        started(reactor, delay, told)

    poll_until_idle(reactor)

    assert told == [0.0, 0.001, 0.002, 0.003, 0.004]


def test_a_delay_of_zero_fires_at_the_next_poll(reactor):
    timer = started(reactor, 0.0)
    before = timer.fired

    reactor.poll(False)

    assert not before
    assert timer.fired


def test_a_timer_that_was_not_started_does_not_fire(reactor):
    timer = reactor.timer(0.0)

    reactor.poll(False)

    assert not timer.fired
    assert reactor.active == 0


def test_a_stopped_timer_does_not_fire(reactor):
    timer = started(reactor, 0.0)

    timer.stop()
    reactor.poll(False)

    assert not timer.fired


def test_a_timer_that_two_waits_started_runs_until_both_have_stopped(reactor):
    timer = started(reactor, 10.0)
    timer.start()
    timer.stop()
    after_one = reactor.active

    timer.stop()

    assert (after_one, reactor.active) == (1, 0)


def test_a_restarted_timer_counts_its_delay_from_the_restart(reactor):
    timer = started(reactor, 0.004)
    timer.stop()
    started(reactor, 0.003)
    poll_until_idle(reactor)
    restart = reactor.now()

    timer.start()
    poll_until_idle(reactor)

    assert timer.fired
    assert reactor.now() >= restart + 0.004


def test_a_timer_restarted_often_fires_once(reactor):
    told = []
    timer = started(reactor, 0.0, told)
    for _ in range(100):
        timer.stop()
        timer.start()

    poll_until_idle(reactor)
    reactor.poll(False)

    assert told == [0.0]


def test_starting_a_fired_timer_does_not_arm_it_again(reactor):
    timer = started(reactor, 0.0)
    reactor.poll(False)

    timer.start()

    assert reactor.active == 0


def test_firing_a_timer_by_hand_disarms_it(reactor):
    told = []
    timer = started(reactor, 0.0, told)

    timer.fire()
    reactor.poll(False)

    assert told == [0.0]
    assert reactor.active == 0


@pytest.mark.parametrize("delay", [-1.0, -1e-9, float("nan"), float("-inf")])
def test_a_delay_that_is_no_time_to_wait_is_refused(reactor, delay):
    with pytest.raises(ValueError, match="0 or more seconds"):
        reactor.timer(delay)


@pytest.mark.parametrize("delay", [1e9, 1e18, float("inf")])
def test_a_delay_longer_than_any_run_is_accepted(reactor, delay):
    told = []
    far = started(reactor, delay, told)
    started(reactor, 0.001, told)

    reactor.poll(True)
    far.stop()

    assert told == [0.001]
    assert reactor.active == 0


def test_a_timer_says_what_it_is(reactor):
    assert reactor.timer(1.5).info() == "a timer of 1.5 s"


def test_a_listener_may_start_and_stop_other_timers(reactor):
    told = []

    class Starter(Listener):
        def notify(self, event):
            victim.stop()
            started(reactor, 0.0, told)
            return True

    victim = started(reactor, 0.002, told)
    starter = reactor.timer(0.001)
    starter.add_listener(Starter())
    starter.start()

    poll_until_idle(reactor)

    assert told == [0.0]
    assert not victim.fired


# -- what is a reason to wait ------------------------------------------------------------


def test_armed_events_are_counted_while_they_are_armed(reactor):
    counts = [reactor.active]
    one, other = started(reactor, 0.0), started(reactor, 5.0)
    counts.append(reactor.active)
    one.start()
    counts.append(reactor.active)
    reactor.poll(False)
    counts.append(reactor.active)
    other.stop()
    other.stop()
    counts.append(reactor.active)

    assert counts == [0, 2, 2, 1, 0]


def test_a_hidden_timer_fires_and_is_not_counted(reactor):
    timer = started(reactor, 0.0, hidden=True)
    counted = reactor.active

    reactor.poll(False)

    assert timer.fired
    assert (counted, reactor.active) == (0, 0)


def test_a_started_event_cannot_be_hidden_any_more(reactor):
    timer = started(reactor, 5.0)

    with pytest.raises(RuntimeError, match="a timer of 5 s has been started"):
        timer.hide()
    timer.stop()

    assert reactor.active == 0


def test_an_event_of_somebody_elses_is_counted_too(reactor):
    event = ReactorEvent(reactor)
    event.start()
    armed = reactor.active

    event.fire("value")

    assert (armed, reactor.active) == (1, 0)
    assert event.outcome() == "value"


# -- poll --------------------------------------------------------------------------------


def test_polling_without_waiting_returns_at_once_when_nothing_is_there(reactor):
    reactor.poll(False)

    assert reactor.active == 0


def test_waiting_ends_at_the_first_deadline(reactor):
    first, second = started(reactor, 0.001), started(reactor, 1000.0)

    reactor.poll(True)

    assert first.fired
    assert not second.fired
    second.stop()


def test_waiting_is_over_at_once_when_a_timer_is_due(reactor):
    timer = started(reactor, 0.0)

    reactor.poll(True)

    assert timer.fired


def test_what_a_listener_raises_comes_out_of_poll(reactor):
    started(reactor, 0.0, [], ValueError("from the listener"))

    with pytest.raises(ValueError, match="from the listener"):
        reactor.poll(False)

    assert reactor.active == 0


def test_the_timers_behind_a_failing_one_still_fire(reactor):
    told = []
    started(reactor, 0.0, told, ValueError("one"))
    started(reactor, 0.0, told, ValueError("two"))
    started(reactor, 0.0, told)

    with pytest.raises(ValueError, match="one"):
        reactor.poll(False)
    with pytest.raises(ValueError, match="two"):
        reactor.poll(False)
    reactor.poll(False)

    assert told == [0.0, 0.0, 0.0]


def test_the_other_listeners_of_a_timer_are_told_though_one_fails(reactor):
    told = []
    timer = reactor.timer(0.0)
    for name in range(4):
        timer.add_listener(Recorder(told, name, ValueError(name) if name % 2 == 0 else None))
    timer.start()

    with pytest.raises(ValueError, match="0"):
        reactor.poll(False)

    assert told == [0, 1, 2, 3]


# -- the end -----------------------------------------------------------------------------


def test_closing_twice_is_closing_once(reactor):
    reactor.close()

    reactor.close()


def test_a_reactor_closes_with_timers_still_armed(reactor):
    timers = [started(reactor, 1000.0) for _ in range(10)]

    reactor.close()
    for timer in timers:
        timer.stop()

    assert reactor.active == 0
    assert not any(timer.fired for timer in timers)


def test_the_clock_never_goes_back(reactor):
    started(reactor, 0.001)
    seen = [reactor.now()]
    poll_until_idle(reactor)
    seen.append(reactor.now())
    seen.append(reactor.now())

    assert seen == sorted(seen)


def test_a_reactor_that_was_not_finished_says_so():
    reactor = Reactor()

    for call in (reactor.now, lambda: reactor.poll(False), lambda: reactor.timer(1.0)):
        with pytest.raises(NotImplementedError):
            call()

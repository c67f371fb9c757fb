"""Timers of libuv, and the heap as it is seen through them; the rest is in test_any_reactor."""

import gc
import itertools
import random
import time
import weakref

import pytest

from trueasync.events.event import Listener

# The heap sweeps only when there are more entries than this.
SMALL_HEAP = 64


class Note(Listener):
    """Appends when its timer fired, as the real clock says, to what was asked for."""

    def __init__(self, notes, deadline):
        self.notes = notes
        self.deadline = deadline

    def notify(self, event):
        self.notes.append((self.deadline, time.monotonic()))
        return True


def started(reactor, delay, notes):
    timer = reactor.timer(delay)
    timer.add_listener(Note(notes, time.monotonic() + delay))
    timer.start()
    return timer


def poll_until_idle(reactor):
    while reactor.active:
        reactor.poll(True)


def test_no_timer_is_early_by_the_real_clock(reactor):
    notes = []
    for number in range(200):
        started(reactor, number / 10_000 + 0.00037, notes)

    poll_until_idle(reactor)

    assert len(notes) == 200
    assert all(fired >= deadline for deadline, fired in notes)


def test_a_lonely_timer_is_hardly_late_by_the_real_clock(reactor):
    notes = []
    for _ in range(20):
        started(reactor, 0.002, notes)
        poll_until_idle(reactor)

    # libuv waits in whole milliseconds; the best of 20 shows what it does undisturbed.
    assert min(fired - deadline for deadline, fired in notes) < 0.003


@pytest.mark.stress
@pytest.mark.timeout(300)
def test_none_of_a_million_timers_is_early_by_the_real_clock(reactor):
    notes, seed = [], random.randrange(1_000_000)
    chance = random.Random(seed)
    for _ in range(1_000_000):
        started(reactor, chance.uniform(0.0, 20.0), notes)

    poll_until_idle(reactor)

    assert len(notes) == 1_000_000
    assert all(fired >= deadline for deadline, fired in notes), f"seed {seed}"


def test_the_delay_counts_from_the_start_however_long_the_reactor_was_not_polled(reactor):
    reactor.poll(False)
    until = time.monotonic() + 0.02
    while time.monotonic() < until:
        pass  # the clock libuv keeps for itself is old now
    notes = []

    started(reactor, 0.01, notes)
    poll_until_idle(reactor)

    assert all(fired >= deadline for deadline, fired in notes)


def test_a_shuffled_crowd_fires_in_order(reactor):
    seed = random.randrange(1_000_000)
    delays = [number / 1_000_000 for number in range(20_000)]
    random.Random(seed).shuffle(delays)
    order = []

    class Bounds(Listener):
        def notify(self, event):
            order.append(self)
            return True

    for delay in delays:
        bounds, timer = Bounds(), reactor.timer(delay)
        timer.add_listener(bounds)
        bounds.earliest = time.monotonic() + delay
        timer.start()
        bounds.latest = time.monotonic() + delay
    poll_until_idle(reactor)

    assert len(order) == 20_000
    assert all(a.earliest <= b.latest for a, b in itertools.pairwise(order)), f"seed {seed}"


@pytest.mark.parametrize(
    ("crowd", "times"), [(100_000, 10), pytest.param(1_000_000, 1, marks=pytest.mark.stress)]
)
def test_a_million_timers_come_and_go_and_none_fires(reactor, crowd, times):
    notes = []
    listener = Note(notes, 0.0)
    for _ in range(times):
        timers = [reactor.timer(1000.0 + number % 97) for number in range(crowd)]
        for timer in timers:
            timer.add_listener(listener)
            timer.start()
        armed = reactor.active
        for timer in timers:
            timer.stop()
        reactor.poll(False)

    assert (armed, reactor.active, notes) == (crowd, 0, [])


def test_among_a_hundred_thousand_stopped_timers_the_others_still_fire(reactor):
    notes, told = [], []
    timers = [started(reactor, 1000.0, notes) for _ in range(50_000)]
    kept = [started(reactor, number / 1000, told) for number in range(10)]
    timers += [started(reactor, 1000.0, notes) for _ in range(50_000)]

    for timer in random.Random(1).sample(timers, len(timers)):
        timer.stop()
    poll_until_idle(reactor)

    assert all(timer.fired for timer in kept)
    assert (len(told), notes) == (10, [])


def test_stopped_timers_do_not_keep_their_memory(reactor):
    notes, alive = [], weakref.WeakSet()
    for _ in range(10_000):
        timer = started(reactor, 1000.0, notes)
        listener = Note(notes, 0.0)
        alive.add(listener)
        timer.add_listener(listener)
        timer.stop()

    del timer, listener
    gc.collect()

    assert len(alive) <= SMALL_HEAP + 1


def test_a_timer_restarted_a_hundred_thousand_times_does_not_fill_the_heap(reactor):
    notes = []
    timer = started(reactor, 0.0, notes)
    for _ in range(100_000):
        timer.stop()
        timer.start()

    reactor.poll(False)

    assert len(notes) == 1
    assert reactor.active == 0


def test_a_restarted_timer_takes_its_new_place_in_the_order(reactor):
    first, second = [], []
    timer = started(reactor, 0.002, first)
    started(reactor, 0.002, second)

    timer.stop()
    timer.start()
    poll_until_idle(reactor)

    (_, first_fired), (_, second_fired) = *first, *second
    assert second_fired < first_fired


def test_a_listener_that_is_destroyed_by_a_sweep_may_use_the_heap(reactor):
    notes = []

    class Restless(Note):
        def __del__(self):
            started(reactor, 0.0, notes)

    for _ in range(SMALL_HEAP * 4):
        timer = reactor.timer(1000.0)
        timer.add_listener(Restless(notes, 0.0))
        timer.start()
        timer.stop()
    del timer
    gc.collect()

    poll_until_idle(reactor)

    assert len(notes) >= SMALL_HEAP
    assert reactor.active == 0


def test_a_listener_may_add_a_crowd_of_timers_while_timers_fire(reactor):
    notes = []

    class Spawner(Listener):
        def notify(self, event):
            for _ in range(1000):
                started(reactor, 0.0, notes)
            return True

    for _ in range(5):
        timer = reactor.timer(0.0)
        timer.add_listener(Spawner())
        timer.start()

    poll_until_idle(reactor)

    assert len(notes) == 5000


def test_timers_that_keep_starting_others_do_not_hold_poll_for_ever(reactor):
    rounds = []

    class Again(Listener):
        def notify(self, event):
            rounds.append(1)
            timer = reactor.timer(0.0)
            timer.add_listener(Again())
            timer.start()
            return True

    Again().notify(None)
    reactor.poll(False)

    assert len(rounds) == 2
    reactor.close()


def test_a_timer_knows_its_delay(reactor):
    assert reactor.timer(0.25).delay == 0.25
    assert reactor.timer(3).delay == 3.0
    with pytest.raises(TypeError):
        reactor.timer("soon")

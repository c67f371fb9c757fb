"""The virtual reactor, where it can promise more than libuv: its time stands still and jumps.

What it has in common with libuv's is in tests/reactor/test_any_reactor.py.
"""

import threading
import time

import pytest

import trueasync
from trueasync import testing
from trueasync.events.event import Listener
from trueasync.runtime import run_on
from trueasync.testing import VirtualReactor


class Note(Listener):
    """Appends its name, and the virtual time."""

    def __init__(self, notes, name, reactor):
        self.notes = notes
        self.name = name
        self.reactor = reactor

    def notify(self, event):
        self.notes.append((self.name, self.reactor.now()))
        return True


def started(reactor, delay, notes, name):
    timer = reactor.timer(delay)
    timer.add_listener(Note(notes, name, reactor))
    timer.start()
    return timer


# -- the reactor ---------------------------------------------------------------------------


def test_a_poll_that_waits_jumps_to_the_first_deadline_and_no_further():
    reactor = VirtualReactor()
    notes = []
    started(reactor, 3600.0, notes, "hour")
    started(reactor, 60.0, notes, "minute")

    reactor.poll(True)

    assert notes == [("minute", 60.0)]
    assert reactor.now() == 60.0


def test_a_poll_that_does_not_wait_leaves_the_time_alone():
    reactor = VirtualReactor()
    notes = []
    started(reactor, 0.001, notes, "soon")

    for _ in range(10):
        reactor.poll(False)

    assert (notes, reactor.now()) == ([], 0.0)


def test_timers_of_one_deadline_fire_together_in_the_order_of_their_starts():
    reactor = VirtualReactor()
    notes = []
    for name in "abc":
        started(reactor, 1.0, notes, name)

    reactor.poll(True)

    assert notes == [("a", 1.0), ("b", 1.0), ("c", 1.0)]


def test_a_restarted_timer_goes_behind_those_of_the_same_deadline():
    reactor = VirtualReactor()
    notes = []
    first = started(reactor, 1.0, notes, "first")
    started(reactor, 1.0, notes, "second")

    first.stop()
    first.start()
    reactor.poll(True)

    assert [name for name, _ in notes] == ["second", "first"]


def test_a_stopped_timer_does_not_move_the_time():
    reactor = VirtualReactor()
    started(reactor, 1.0, [], "stopped").stop()

    reactor.poll(True)

    assert reactor.now() == 0.0


def test_it_remembers_how_it_was_polled():
    reactor = VirtualReactor()

    reactor.poll(False)
    reactor.poll(True)

    assert reactor.polls == [False, True]


# -- run -----------------------------------------------------------------------------------


def test_an_hour_of_sleep_takes_no_time():
    before = time.monotonic()

    testing.run(trueasync.sleep, 3600)

    assert time.monotonic() - before < 5.0


def test_the_clock_shows_the_hour_that_was_slept():
    reactor = VirtualReactor()

    run_on(reactor, trueasync.sleep, (3600,))

    assert reactor.now() == 3600.0


def test_time_stands_still_while_anyone_runs():
    reactor = VirtualReactor()
    times = []

    def spin():
        for _ in range(1000):
            trueasync.suspend()
        times.append(reactor.now())

    def main():
        sleeper = trueasync.spawn(trueasync.sleep, 1.0)
        trueasync.spawn(spin).result()
        times.append(sleeper.done())

    run_on(reactor, main)

    assert times == [0.0, False]


def test_the_shorter_sleep_ends_first():
    order = []

    def main():
        for seconds in (3, 1, 2):
            trueasync.spawn(lambda s=seconds: (trueasync.sleep(s), order.append(s)))

    testing.run(main)

    assert order == [1, 2, 3]


def test_equal_sleeps_end_in_the_order_they_began():
    order = []

    def sleeper(number):
        trueasync.sleep(5)
        order.append(number)

    def main():
        for number in range(100):
            trueasync.spawn(sleeper, number)

    testing.run(main)

    assert order == list(range(100))


def test_it_passes_arguments_and_returns_what_main_returns():
    def main(one, *, other):
        return one, other

    assert testing.run(main, 1, other=2) == (1, 2)


def test_it_raises_what_main_raises():
    def main():
        raise LookupError("from main")

    with pytest.raises(LookupError, match="from main"):
        testing.run(main)


def test_a_deadlock_is_found_in_virtual_time_too():
    def main():
        trueasync.current_coroutine().add_switch_handler(lambda *_: False)
        first = trueasync.spawn(lambda: second.result())
        second = trueasync.spawn(lambda: first.result())
        first.result()

    with pytest.raises(trueasync.DeadlockError, match="3 waiting"):
        testing.run(main)


def test_a_timeout_in_virtual_time_is_exact():
    reactor = VirtualReactor()
    seen = []

    def main():
        sleeper = trueasync.spawn(trueasync.sleep, 100)
        try:
            sleeper.result(timeout=99)
        except TimeoutError:
            seen.append(reactor.now())
        sleeper.result(timeout=2)
        seen.append(reactor.now())

    run_on(reactor, main)

    assert seen == [99.0, 100.0]


def test_threads_have_virtual_times_of_their_own():
    times = {}

    def use(seconds):
        reactor = VirtualReactor()
        run_on(reactor, trueasync.sleep, (seconds,))
        times[seconds] = reactor.now()

    threads = [threading.Thread(target=use, args=(seconds,)) for seconds in (10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert times == {10: 10.0, 20: 20.0}


def test_a_run_in_virtual_time_opens_no_descriptor(python):
    script = """
import os, trueasync, trueasync.testing

def main():
    trueasync.sleep(1)
    print(len(os.listdir("/proc/self/fd")))

print(len(os.listdir("/proc/self/fd")))
trueasync.testing.run(main)
"""

    ran = python(script)

    outside, inside = ran.stdout.split()
    assert outside == inside

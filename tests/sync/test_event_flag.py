"""Event: a flag that wakes everybody."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import Cancelled, Event, spawn, suspend


def test_everybody_who_waits_is_woken_in_order(seeds):
    def main():
        event, woken = Event(), []

        def wait(number):
            woken.append((number, event.wait()))

        waits = [spawn(wait, number) for number in range(5)]
        suspend()
        event.set()
        for coroutine in waits:
            coroutine.result()
        return sorted(woken)

    for _ in seeds:
        assert trueasync.testing.run(main) == [(number, True) for number in range(5)]


def test_a_flag_that_is_set_makes_nobody_wait(run):
    def main():
        event, seen = Event(), []
        event.set()
        spawn(seen.append, "another ran")
        return event.wait(), event.is_set(), seen[:]

    assert run(main) == (True, True, [])


def test_a_wait_that_is_over_at_once_lets_nobody_run(run):
    def main():
        event, seen = Event(), []
        spawn(seen.append, "another ran")
        return event.wait(0), event.wait(-1), seen[:]

    assert run(main) == (False, False, [])


def test_who_was_woken_hears_of_it_though_the_flag_was_taken_back(seeds):
    def main():
        event = Event()
        waits = spawn(event.wait)
        until(lambda: waits.state == "waiting")
        event.set()
        event.clear()
        return waits.result(), event.wait(0.01)

    for _ in seeds:
        assert trueasync.testing.run(main) == (True, False)


def test_who_is_cancelled_leaves(run):
    def main():
        event = Event()
        waits = spawn(event.wait)
        suspend()
        waits.cancel()
        with pytest.raises(Cancelled):
            waits.result()
        event.set()
        return repr(event)

    assert ", 0 waiting: set" in run(main)


def test_its_condition_wakes_the_same_waiters(run):
    def main():
        event = Event()
        waits = spawn(event.wait)
        suspend()
        with event._cond:
            event._cond.notify_all()
        return waits.result(), event.is_set()

    assert run(main) == (True, False)


def test_an_interrupted_thread_leaves(signal_when):
    event = Event()

    def interrupt():
        raise KeyboardInterrupt

    signal_when(waiting(event, 1), interrupt)
    with pytest.raises(KeyboardInterrupt):
        event.wait()

    assert waiting(event, 0)()


def test_the_old_name_warns():
    with pytest.warns(DeprecationWarning, match="is_set"):
        assert Event().isSet() is False

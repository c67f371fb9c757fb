"""What coroutines see of every kind of event, on both reactors; the kinds are in every_kind.py."""

import pytest

import trueasync
from trueasync import DeadlockError
from trueasync.scheduler.calls import running_scheduler


def wait(event):
    return running_scheduler("wait").wait(event)


def in_a_run(run, kind, body):
    """Run `body(thing)` as main, with a thing of its reactor."""

    def main():
        with kind(running_scheduler("test").reactor) as thing:
            return body(thing)

    return run(main)


def test_a_coroutine_waits_for_it(run, kind):
    def body(thing):
        event = thing.make()
        waiter = trueasync.spawn(wait, event)
        trueasync.suspend()
        thing.happen()
        return waiter.result() is event, trueasync.stats()["active_events"]

    assert in_a_run(run, kind, body) == (True, 0)


def test_several_coroutines_wait_for_one_event(run, kind):
    def body(thing):
        event = thing.make()
        waiters = [trueasync.spawn(wait, event) for _ in range(5)]
        trueasync.suspend()
        thing.happen()
        return [waiter.result() is event for waiter in waiters]

    assert in_a_run(run, kind, body) == [True] * 5


def test_cancelling_the_one_that_waits_stops_it(run, kind):
    def body(thing):
        event = thing.make()
        waiter = trueasync.spawn(wait, event)
        trueasync.suspend()
        waiter.cancel()
        with pytest.raises(trueasync.Cancelled):
            waiter.result()
        return event.fired, event.starts, trueasync.stats()["active_events"]

    assert in_a_run(run, kind, body) == (False, 0, 0)


def test_one_that_is_cancelled_leaves_the_event_to_the_others(run, kind):
    def body(thing):
        event = thing.make()
        leaving, staying = trueasync.spawn(wait, event), trueasync.spawn(wait, event)
        trueasync.suspend()
        leaving.cancel()
        trueasync.suspend()
        thing.happen()
        return staying.result() is event, leaving.cancelled()

    assert in_a_run(run, kind, body) == (True, True)


def test_one_cancelled_before_it_waits_never_starts_it(run, kind):
    def body(thing):
        event = thing.make()
        waiter = trueasync.spawn(wait, event)
        waiter.cancel()
        trueasync.suspend()
        return waiter.cancelled(), event.starts, trueasync.stats()["active_events"]

    assert in_a_run(run, kind, body) == (True, 0, 0)


def test_waiting_only_for_a_hidden_one_is_a_deadlock(run, kind):
    def body(thing):
        event = thing.make()
        event.hide()
        wait(event)

    with pytest.raises(DeadlockError):
        in_a_run(run, kind, body)


def test_a_report_says_what_the_coroutine_waits_for(run, kind):
    def body(thing):
        waiter = trueasync.spawn(wait, thing.make())
        trueasync.suspend()
        found = [thing.info in text for text in waiter.waits_for]
        waiter.cancel()
        return found

    assert in_a_run(run, kind, body) == [True]

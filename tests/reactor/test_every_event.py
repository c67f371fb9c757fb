"""What holds for every kind of event, on both reactors; the kinds are in every_kind.py.

What coroutines see of it is in test_every_event_awaited.py.
"""

import gc
import os
import weakref

import pytest

import trueasync
from trueasync.events.event import Listener
from trueasync.reactor.reactor import UvReactor
from trueasync.testing import VirtualReactor


@pytest.fixture(params=[UvReactor, VirtualReactor], ids=["libuv", "virtual"])
def reactor_class(request):
    return request.param


@pytest.fixture
def thing(kind, reactor, request):
    with kind(reactor) as made:
        yield made
    # It holds the reactor: not past the look for what the test has left over.
    del request.node.funcargs["thing"]


on_libuv = pytest.mark.parametrize("reactor_class", [UvReactor], ids=["libuv"])


class Told(Listener):
    """Notes each event it is told of."""

    def __init__(self, notes):
        self.notes = notes

    def notify(self, event):
        self.notes.append(event)
        return True


def started(thing):
    event = thing.make()
    event.start()
    return event


def poll_a_little(reactor):
    for _ in range(3):
        reactor.poll(False)


def happens(thing, reactor, *events):
    """Let it happen, again and again, until all of `events` have fired."""
    while not all(event.fired for event in events):
        thing.happen()
        # Some kinds wake one waiter each time: then it must happen again before a wait.
        reactor.poll(not any(event.fired for event in events))


# -- start and stop ------------------------------------------------------------------------


def test_it_is_not_active_and_does_not_fire_before_it_is_started(thing, reactor):
    event = thing.make()

    thing.happen()
    poll_a_little(reactor)

    assert (event.fired, event.starts, reactor.active) == (False, 0, 0)


def test_starts_and_stops_are_counted_and_only_the_first_and_last_matter(thing, reactor):
    event = thing.make()
    counts = []
    for step in (event.start, event.start, event.stop, event.stop, event.stop, event.start):
        step()
        counts.append((event.starts, reactor.active))
    event.stop()

    assert counts == [(1, 1), (2, 1), (1, 1), (0, 0), (0, 0), (1, 1)]


def test_it_fires_when_it_happens_and_is_active_no_more(thing, reactor):
    event = started(thing)

    happens(thing, reactor, event)

    assert reactor.active == 0
    event.stop()
    assert (event.starts, reactor.active) == (0, 0)


def test_a_stopped_one_does_not_fire_and_may_be_started_again(thing, reactor):
    event = started(thing)
    event.stop()
    poll_a_little(reactor)
    stopped = event.fired

    event.start()
    happens(thing, reactor, event)

    assert not stopped
    assert reactor.active == 0


def test_one_started_twice_and_stopped_once_still_fires(thing, reactor):
    event = started(thing)
    event.start()
    event.stop()

    happens(thing, reactor, event)


def test_one_that_was_fired_by_hand_is_disarmed(thing, reactor):
    event, told = started(thing), []
    event.add_listener(Told(told))

    event.fire("by hand")
    thing.happen()
    poll_a_little(reactor)

    assert (event.outcome(), told, reactor.active) == ("by hand", [event], 0)


# -- who is told ---------------------------------------------------------------------------


def test_all_listeners_of_one_event_are_told_once_in_order(thing, reactor):
    event, told = started(thing), []
    for _ in range(3):
        event.add_listener(Told(told))

    happens(thing, reactor, event)
    poll_a_little(reactor)

    assert told == [event] * 3


def test_several_events_of_the_same_thing_all_fire(thing, reactor):
    events = [started(thing) for _ in range(4)]
    armed = reactor.active

    happens(thing, reactor, *events)

    assert (armed, reactor.active) == (4, 0)


def test_stopping_one_leaves_the_others_waiting(thing, reactor):
    first, second, third = (started(thing) for _ in range(3))

    second.stop()
    happens(thing, reactor, first, third)

    assert (second.fired, reactor.active) == (False, 0)


def test_a_listener_may_stop_another_event_of_the_same_thing(thing, reactor):
    class Stops(Listener):
        def notify(self, event):
            second.stop()
            return True

    first, second, third = (started(thing) for _ in range(3))
    first.add_listener(Stops())

    happens(thing, reactor, first, third)

    assert reactor.active == 0


def test_it_replays_its_outcome_to_whoever_comes_later(thing, reactor):
    event, told = started(thing), []
    happens(thing, reactor, event)
    outcome = event.outcome()

    event.start()
    event.add_listener(Told(told))
    event.stop()

    assert told == [event]
    assert event.outcome() is outcome
    assert reactor.active == 0


def test_an_error_it_fired_with_is_raised_for_everyone_who_asks(thing, reactor):
    event = started(thing)

    event.fire(error=OSError("no more"))
    poll_a_little(reactor)  # a trigger is fired by the next poll

    for _ in range(2):
        with pytest.raises(OSError, match="no more"):
            event.outcome()
    assert reactor.active == 0


def test_an_error_of_a_listener_comes_out_of_poll_and_the_others_are_told(thing, reactor):
    class Fails(Listener):
        def notify(self, event):
            raise LookupError("from the listener")

    told = []
    first, second = started(thing), started(thing)
    first.add_listener(Fails())
    first.add_listener(Told(told))
    second.add_listener(Told(told))

    with pytest.raises(LookupError, match="from the listener"):
        happens(thing, reactor, first, second)
    happens(thing, reactor, first, second)

    assert told == [first, second]


def test_it_says_what_it_is(thing):
    assert thing.info in thing.make().info()


# -- what counts, and the end --------------------------------------------------------------


def test_a_hidden_one_fires_and_does_not_count(thing, reactor):
    event = thing.make()
    event.hide()
    event.start()
    thing.happen()
    counted = reactor.active
    keeper = reactor.timer(0.5)
    keeper.start()  # the clock of the virtual one stands still unless somebody waits

    while not event.fired:
        reactor.poll(True)
    keeper.stop()

    assert (counted, reactor.active) == (0, 0)


def test_one_that_nobody_holds_fires_all_the_same(thing, reactor):
    told = []

    def start_and_forget():
        event = thing.make()
        event.add_listener(Told(told))
        event.start()

    start_and_forget()
    gc.collect()
    while not told:
        thing.happen()
        reactor.poll(True)

    assert len(told) == 1


@on_libuv
def test_stopped_ones_keep_nothing_alive(thing, reactor):
    alive = weakref.WeakSet()
    for _ in range(500):
        listener = Told([])
        alive.add(listener)
        event = thing.make()
        event.add_listener(listener)
        event.start()
        event.stop()
    del listener, event
    gc.collect()

    assert len(alive) < 100  # a heap of timers forgets them by and by
    assert reactor.active == 0


def test_closing_the_reactor_lets_go_of_it_and_it_may_still_be_stopped(thing, reactor):
    event = started(thing)

    reactor.close()
    event.stop()

    assert (event.starts, reactor.active) == (0, 0)


@on_libuv
def test_it_cannot_be_started_once_the_reactor_is_closed(thing, reactor):
    event = thing.make()
    reactor.close()

    with pytest.raises((RuntimeError, OSError), match="closed"):
        event.start()

    assert (event.starts, reactor.active) == (0, 0)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@on_libuv
def test_a_child_of_fork_goes_its_own_way_and_takes_nothing_from_the_parent(thing, reactor):
    event = started(thing)

    child = os.fork()
    if child == 0:
        done = 1
        try:
            done = 0 if trueasync.run(lambda: trueasync.sleep(0.001)) is None else 2
        finally:
            os._exit(done)
    _, status = os.waitpid(child, 0)
    happens(thing, reactor, event)

    assert status == 0
    assert reactor.active == 0

"""select: the first of several things that can happen, and only that one.

First every case is tried in a drawn order; then all of them wait in their lines at once.
Whoever is given something has won the wait by that, and the others say "not taken" to
their givers: so nothing is taken that is not returned.
"""

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.current import require_scheduler
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.channel import (
    NOTHING,
    Channel,
    SendCase,
    new_receiving,
    new_sending,
)

from .awaitable import event_of


def select(*cases, timeout=None) -> tuple:
    """Wait for the first case that can happen, do it, and return its index and value.

    A case is a channel (receive from it), `channel.sending(value)` (its value is None), or
    anything `await_` takes (its value is its result; if it failed, its error is raised here).
    If several can happen, one is drawn; the others have no effect. A closed channel raises
    `ChannelClosed`, which names it. After `timeout` seconds, TimeoutError.
    Suspends the coroutine, except when a case can happen now, or with a timeout of 0.
    Not for other threads.
    """
    scheduler: Scheduler = require_scheduler("select")
    if not cases:
        raise ValueError("select() needs a case: a channel, channel.sending(value), a future ...")
    order: list = shuffled(scheduler, cases)
    ready: tuple = take_ready(order)
    if ready is not None:
        return position(list(cases), ready[0]), ready[1]
    events: list = [event_for(case) for case in order]
    winner: Event = wait_for_one(scheduler, events, timeout)
    if winner is None:
        raise TimeoutError(f"none of {len(cases)} cases happened within {timeout} s")
    chosen = order[position(events, winner)]
    return position(list(cases), chosen), winner.outcome()


@cython.cfunc
def shuffled(scheduler: Scheduler, cases: tuple) -> list:
    """The cases in an order drawn from the run's own numbers, so that a seed brings it back."""
    order: list = list(cases)
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    drawn: cython.ulonglong = scheduler.draws or 0x9E3779B97F4A7C15
    for place in range(len(order) - 1, 0, -1):
        # Marsaglia's xorshift: enough to be fair, and three shifts cheap.
        drawn ^= drawn << 13
        drawn ^= drawn >> 7
        drawn ^= drawn << 17
        other = drawn % cython.cast(cython.ulonglong, place + 1)
        order[place], order[other] = order[other], order[place]
    scheduler.draws = drawn
    return order


@cython.cfunc
def take_ready(order: list) -> tuple:
    """The first case that can happen without a wait, and its value; else None."""
    channel: Channel
    for case in order:
        if isinstance(case, Channel):
            channel = case
            channel.enter()
            value = channel.take(None)
            if value is not NOTHING:
                return case, value
            if channel.closed:
                raise channel.ended()
        elif isinstance(case, SendCase):
            channel = cython.cast(SendCase, case).channel
            channel.enter()
            if channel.offer(cython.cast(SendCase, case).value, None):
                return case, None
        elif isinstance(case, Event) and cython.cast(Event, case).fired:
            return case, cython.cast(Event, case).outcome()
    return None


@cython.cfunc
def event_for(case) -> Event:
    if isinstance(case, Channel):
        return new_receiving(case)
    if isinstance(case, SendCase):
        return new_sending(cython.cast(SendCase, case).channel, cython.cast(SendCase, case).value)
    return event_of(case)


@cython.cfunc
def wait_for_one(scheduler: Scheduler, events: list, timeout) -> Event:
    """The first of them to fire, or None if none has within `timeout` seconds."""
    timer: Event
    if timeout is None:
        if len(events) == 1:
            return scheduler.wait(events[0])
        return scheduler.wait(events[0], events[1], events[2:])
    if timeout == 0:
        return first_fired(events)
    timer = scheduler.reactor.timer(timeout)
    winner: Event = scheduler.wait(events[0], timer, events[1:])
    return None if winner is timer else winner


@cython.cfunc
def first_fired(events: list) -> Event:
    """The first that fires by being started; nothing waits for the others."""
    event: Event
    for event in events:
        event.start()
        event.stop()
        if event.fired:
            return event
    return None


@cython.cfunc
@cython.exceptval(-1, check=False)
def position(things: list, thing) -> cython.Py_ssize_t:
    place: cython.Py_ssize_t
    for place in range(len(things)):
        if things[place] is thing:
            return place
    raise AssertionError("select() has chosen what nobody gave it")

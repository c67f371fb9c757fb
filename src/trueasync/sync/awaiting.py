"""await_ and its family: wait for one thing, for all of several, or for the first.

A thing is a coroutine, a future, a timeout, an event, a thread, a `concurrent.futures.Future`,
and whatever else is registered in awaitable.py. What is done already is not waited for.

Rules of this file:
1. Forms with `or_fail` raise the first error and give values; the others raise no error of a
   thing and give `(results, errors)`.
2. Only `race` cancels what it does not need; all others leave that alone.
3. An error is taken when it is raised or given, and not before: one that came beside it
   still has to be asked for.
"""

from collections.abc import Mapping

from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.current import require_scheduler
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.gathering import Gathering

from ..errors import OperationCancelled
from ..scheduler.groups import new_group
from . import kinds  # noqa: F401 - it registers them
from .awaitable import event_of


def await_(thing, *, token=None):
    """The result of `thing`, when it is done; raises its error.

    If `token`, which may be any awaitable, is done before, OperationCancelled; `thing` is left
    alone. If both are, `thing` counts.
    Suspends the coroutine, except when `thing` is done. Not for other threads.
    """
    event: Event = event_of(thing)
    wait_for(event, None if token is thing else token, "await_")
    return event.outcome()


def await_all(things, *, token=None) -> tuple:
    """Wait until all are done, and give `(results, errors)`, each by key.

    The keys are those of a mapping, and the positions in anything else. No error of a thing
    is raised. If `token` is done before, OperationCancelled; the things are left alone.
    Suspends the coroutine, except when all are done. Not for other threads.
    """
    several = Several(things, "await_all")
    several.wait(never, token)
    return several.results_and_errors(several.settled)


def await_all_or_fail(things, *, token=None):
    """The results of all, when all are done; raises the first error, as soon as there is one.

    A mapping gives a dict, anything else a list. The things are not cancelled by that, nor
    if `token` is done before, which raises OperationCancelled.
    Suspends the coroutine, except when all are done. Not for other threads.
    """
    several = Several(things, "await_all_or_fail")
    several.wait(one_failed, token)
    several.raise_first_error()
    return several.values(several.events)


def await_any(things, *, token=None) -> tuple:
    """Wait for the first to be done, however it ends, and give `(results, errors)`, each by key.

    That one is in either of the two. The others are left alone; `race` cancels them.
    If `token` is done before, OperationCancelled.
    Suspends the coroutine, except when one is done. Not for other threads.
    """
    several = Several(things, "await_any", False)
    several.wait(one_settled, token)
    return several.results_and_errors(several.settled[:1])


def await_any_or_fail(things, *, token=None):
    """The result of the first to be done; raises its error, if it failed.

    The others are left alone; `race` cancels them. If `token` is done before,
    OperationCancelled.
    Suspends the coroutine, except when one is done. Not for other threads.
    """
    several = Several(things, "await_any_or_fail", False)
    several.wait(one_settled, token)
    return several.settled[0].outcome()


def await_first_success(things, *, token=None):
    """The result of the first to succeed; if all fail, their errors as one ExceptionGroup.

    The errors of those that failed before it are dropped; the others are left alone.
    If `token` is done before, OperationCancelled.
    Suspends the coroutine, except when one has succeeded. Not for other threads.
    """
    several = Several(things, "await_first_success", False)
    several.wait(one_succeeded, token)
    _, errors = several.results_and_errors([e for e in several.settled if e.failed()])
    for event in several.settled:
        if not event.failed():
            return event.outcome()
    raise new_group("none of the things that were waited for succeeded", [*errors.values()])


def await_any_of(count, things, *, token=None) -> tuple:
    """Wait until `count` have succeeded, or all are done; give `(results, errors)`, each by key.

    The others are left alone. If `token` is done before, OperationCancelled.
    Suspends the coroutine, except when so many are done. Not for other threads.
    """
    several = Several(things, "await_any_of")
    several.wait(at_least(count), token)
    return several.results_and_errors(several.settled)


def await_any_of_or_fail(count, things, *, token=None):
    """The results of the first `count` to be done, or of all if there are fewer.

    In the order in which they were done: a dict for a mapping, a list for anything else. An
    error that comes before is raised. The others are left alone.
    If `token` is done before, OperationCancelled.
    Suspends the coroutine, except when so many are done. Not for other threads.
    """
    several = Several(things, "await_any_of_or_fail")
    enough = at_least(count)
    several.wait(lambda found: one_failed(found) or enough(found), token)
    several.raise_first_error()
    return several.values(several.keys_in_order())


def race(things, *, token=None):
    """The result of the first to be done, or its error; the others are cancelled.

    It returns when they have ended. They are cancelled, too, if `token` is done before, which
    raises OperationCancelled, and if the caller is cancelled.
    Suspends the coroutine, except when one is done and the others have not begun.
    Not for other threads.
    """
    several = Several(things, "race", False)
    try:
        several.wait(one_settled, token)
    finally:
        losers = [event for event in several.events.values() if not event.fired]
        ending = [event for event in losers if hasattr(event, "cancel") and event.cancel()]
    # Not their errors: those that fail in their clean-ups have to be asked themselves.
    Several(ending, "race").wait(never, None)
    return several.settled[0].outcome()


# -- when it is enough -----------------------------------------------------------------------


def never(found: Gathering) -> bool:
    return False


def one_settled(found: Gathering) -> bool:
    return len(found.settled) > 0


def one_failed(found: Gathering) -> bool:
    return found.succeeded < len(found.settled)


def one_succeeded(found: Gathering) -> bool:
    return found.succeeded > 0


def at_least(count):
    if count < 0:
        raise ValueError(f"the number of things to wait for must be 0 or more, not {count}")

    def enough(found: Gathering) -> bool:
        return found.succeeded >= count

    return enough


# -- helpers of the above ---------------------------------------------------------------------


def wait_for(event: Event, token, call):
    """Wait for `event`, but no longer than until `token` is done."""
    if event.fired:
        return
    scheduler: Scheduler = require_scheduler(call)
    if token is None:
        scheduler.wait(event)
        return
    stop: Event = event_of(token)
    scheduler.wait(event, stop)
    if event.fired:
        return  # not by who won: both may have by now
    error = OperationCancelled(f"{call}() was called off by {stop.info()}")
    error.token = token
    try:
        stop.outcome()
    except BaseException as reason:
        raise error from reason
    raise error


class Several:
    """The things of one call, with their keys, and how they are given back."""

    def __init__(self, things, call, may_be_none=True):
        self.call = call
        self.mapping = isinstance(things, Mapping)
        pairs = list(things.items() if self.mapping else enumerate(things))
        if not pairs and not may_be_none:
            raise ValueError(f"{call}() of nothing would wait forever")
        self.events = {key: event_of(thing) for key, thing in pairs}

    def wait(self, enough, token):
        gathering: Gathering = Gathering(self.events.values(), enough)
        self.settled = gathering.settled
        try:
            wait_for(gathering, token, self.call)
        finally:
            gathering.release()

    def results_and_errors(self, events):
        """Those of `events`, by key, in the order of the keys."""
        wanted = set(events)
        results = {}
        errors = {}
        for key, event in self.events.items():
            if event in wanted:
                try:
                    results[key] = event.outcome()
                except BaseException as error:
                    errors[key] = error
        return results, errors

    def raise_first_error(self):
        for event in self.settled:
            if event.failed():
                event.outcome()

    def values(self, keys):
        values = {key: self.events[key].outcome() for key in keys}
        return values if self.mapping else [*values.values()]

    def keys_in_order(self):
        """The keys of those that are done, in the order in which they were."""
        by_event = {}
        for key, event in self.events.items():
            by_event.setdefault(event, []).append(key)
        return [key for event in self.settled for key in by_event[event]]

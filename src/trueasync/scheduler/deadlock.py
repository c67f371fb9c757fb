"""Deadlock: coroutines that hold each other up, found by asking events who holds them up.

A coroutine is stuck if each event it waits for is held up by one that is stuck itself. So
whoever waits for the outside world, or for something nobody can tell about, is not; and a
cycle is found beside coroutines that go on.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..events.event import Event
    from .coroutine import Coroutine

    Waits = dict[Coroutine[Any], list[list[Coroutine[Any]]]]  # for each event, who holds it up


def find_cycles(
    waiting: dict[Coroutine[Any], list[Event]], everyone_waits: bool = False
) -> list[list[Coroutine[Any]]]:
    """Each cycle once: in it each waits for the next, and the last for the first.

    `waiting` is who waits for what. `everyone_waits`: nobody can run, so what nobody can tell
    about does not happen either. Never suspends. Safe from any thread.
    """
    waits: Waits = {}
    for coroutine, events in waiting.items():
        held = [holders_of(event) for event in events]
        if everyone_waits or None not in held:
            waits[coroutine] = [holders or [] for holders in held]
    if not everyone_waits:
        leave_out_who_can_go_on(waits)
    return cycles_among(waits)


def holders_of(event: Event) -> list[Coroutine[Any]] | None:
    try:
        return event.held_up_by()
    except Exception:  # an event of the user's; then nobody can tell
        return None


def leave_out_who_can_go_on(waits: Waits) -> None:
    """Take out whoever is not stuck, and then those whom only that one held up."""
    waiters: dict[Coroutine[Any], list[tuple[Coroutine[Any], int]]] = {}
    stuck: dict[tuple[Coroutine[Any], int], int] = {}  # how many of its holders are stuck
    free = []
    for coroutine, events in waits.items():
        for index, holders in enumerate(events):
            held_up = [holder for holder in set(holders) if holder in waits]
            stuck[coroutine, index] = len(held_up)
            for holder in held_up:
                waiters.setdefault(holder, []).append((coroutine, index))
            if not held_up:
                free.append(coroutine)
    while free:
        coroutine = free.pop()
        if waits.pop(coroutine, None) is None:
            continue
        for waiter in waiters.get(coroutine, ()):
            stuck[waiter] -= 1
            if not stuck[waiter]:
                free.append(waiter[0])


def cycles_among(waits: Waits) -> list[list[Coroutine[Any]]]:
    """Follow each to the first that holds it up; where that comes back, there is a cycle."""
    following = {}
    for coroutine, events in waits.items():
        stuck = (holder for holders in events for holder in holders if holder in waits)
        following[coroutine] = next(stuck, None)
    cycles = []
    seen: set[Coroutine[Any]] = set()
    for start in waits:
        path: dict[Coroutine[Any], int] = {}
        here: Coroutine[Any] | None = start
        while here is not None and here not in seen:
            seen.add(here)
            path[here] = len(path)
            here = following[here]
        if here is not None and here in path:
            cycles.append(list(path)[path[here] :])
    return cycles

"""event_of: how to wait for this kind of thing; the one place that knows.

Whoever waits for things (`await_` and its family, `select`, cancellation tokens) waits for
events. An `Event` is one already; for every other kind somebody has registered how to make
one. `outcome()` of that event is the result of the thing, or raises its error; `cancel()`,
where it has one, asks the thing to stop.
"""

from __future__ import annotations

from ..events.event import Event
from ..scheduler.completion import Completion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar

    T_co = TypeVar("T_co", covariant=True)

    class Awaitable(Protocol[T_co]):
        """A coroutine, a future, and whatever else has a result; more kinds are registered."""

        def result(self) -> T_co:
            """Its result, or raises its error."""


__all__ = ["event_of", "register"]

ways: dict[str, Callable[[Any], Event]] = {}


def register(kind: str, way: Callable[[Any], Event]) -> None:
    """From now on, wait for things of `kind` (`module.Class`) at the event `way(thing)`.

    By name, so that nothing has to be imported for it. Never suspends. Safe from any thread.
    """
    ways[kind] = way


def event_of(thing: object) -> Event:
    """The event that fires when `thing` is done. Never suspends."""
    if isinstance(thing, Event):
        return thing.event_here() if isinstance(thing, Completion) else thing
    for kind in type(thing).__mro__:
        way = ways.get(f"{kind.__module__}.{kind.__qualname__}")
        if way is not None:
            return way(thing)
    hint = " (call it in a coroutine: spawn(function, ...))" if callable(thing) else ""
    raise TypeError(f"{thing!r} is nothing one can wait for{hint}")

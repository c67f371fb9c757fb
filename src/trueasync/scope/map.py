"""map: results of one function for many items, computed at the same time.

One coroutine goes through the items and spawns a call for each; the results are given out
as somebody asks for them. Never more calls than `concurrency` are begun and not yet given
out, so neither items nor results pile up.
"""

from __future__ import annotations

from collections import deque

from ..events.event import Event, Listener
from ..scheduler.calls import running_scheduler, spawn
from .news import News
from .scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from ..scheduler.coroutine import Coroutine

__all__ = ["map"]


def map(
    function: Callable[..., Any],
    /,
    *iterables: Iterable[Any],
    concurrency: int = 0,
    ordered: bool = True,
) -> Mapping:
    """As the built-in map, with up to `concurrency` calls at the same time; 0 is no limit.

    Results come in the order of the items, or with `ordered=False` as calls end. The first
    error is raised in its place, and cancels the rest. Calls begin with the first step.
    Never suspends; each step of the iteration does, until a result is there.
    Not for other threads than that of the run.
    """
    if not iterables:
        raise TypeError("map() needs a function and something to go through")
    if concurrency < 0:
        raise ValueError(f"concurrency must be 0 or more, not {concurrency}")
    return Mapping(Calls(function, zip(*iterables), concurrency, ordered))  # noqa: B905 - as map


class Mapping:
    """What `map` gives: an iterator that may be closed before its end.

    Not for other threads than that of the run.
    """

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        # Whoever forgets this iterator cancels what it has begun: the scope is ours alone.
        self.scope: Scope | None = None
        self.over = False

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        """The next result. Suspends the coroutine until it is there."""
        if self.over:
            raise StopIteration
        if self.scope is None:
            self.scope = Scope("map", lambda coroutine, error: True)
            self.scope.spawn(self.calls.feed)
        try:
            done = self.calls.next_done()
            if done is not None:
                return done.outcome()
            if self.calls.error is not None:
                raise self.calls.error  # of the iterable
        except BaseException:
            self.close()
            raise
        self.over = True
        raise StopIteration

    def close(self) -> None:
        """Cancel what is under way; there are no more results. Never suspends."""
        self.over = True
        if self.scope is not None:
            self.scope.cancel()

    def __enter__(self) -> Mapping:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Calls:
    """The calls of one `map`: begun, and not yet given out."""

    def __init__(
        self, function: Callable[..., Any], items: Iterator[Any], limit: int, ordered: bool
    ) -> None:
        self.function = function
        self.items: Iterator[Any] | None = items
        self.limit = limit
        self.ordered = ordered
        self.begun = 0  # and not given out
        self.ready: deque[Coroutine[Any]] = deque()
        self.error: BaseException | None = None
        self.news = News("the calls of a map")

    def feed(self) -> None:
        """Go through the items, and begin a call for each."""
        assert self.items is not None
        try:
            for item in self.items:
                while self.limit and self.begun >= self.limit:
                    self.news.wait()
                self.begun += 1
                call = spawn(self.function, *item)
                if self.ordered:
                    self.ready.append(call)
                    self.news.tell()
                else:
                    call.add_listener(CallEnd(self))
        except BaseException as error:
            self.error = error
            raise
        finally:
            self.items = None
            self.news.tell()

    def next_done(self) -> Coroutine[Any] | None:
        """The next call whose outcome is to be given out; None after the last."""
        while not self.ready:
            if self.items is None and not self.begun:
                return None
            self.news.wait()
        call = self.ready[0]
        if not call.done():
            running_scheduler("map").wait(call)
        self.ready.popleft()
        self.begun -= 1
        self.news.tell()
        return call


class CallEnd(Listener):
    """Told when a call has ended."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    def notify(self, event: Event) -> bool:
        self.calls.ready.append(event)  # type: ignore[arg-type]
        self.calls.news.tell()
        return True

"""FutureEnd: how to wait for a `concurrent.futures.Future`, whoever completes it."""

from __future__ import annotations

import weakref
from functools import partial

from ..reactor.base import Reactor, ReactorEvent
from ..reactor.thread_call import tell_unraisable
from ..scheduler.calls import running_scheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

__all__ = ["FutureEnd", "end_of", "tell_lost_error"]

# A future cannot forget a callback: it gets one for all waits, and not one for each.
completions: weakref.WeakKeyDictionary[Future[Any], Completion] = weakref.WeakKeyDictionary()


class Completion:
    """The callback of a future, and those who wait for it in whatever run."""

    def __init__(self) -> None:
        self.waiting: set[FutureEnd] = set()

    def __call__(self, future: Future[Any]) -> None:
        """Called by whoever completes it, in any thread."""
        for end in list(self.waiting):
            end.loop.post(partial(end.take, future))


def completion_of(future: Future[Any]) -> Completion:
    fresh = Completion()
    known = completions.setdefault(future, fresh)
    if known is fresh:
        future.add_done_callback(fresh)
    return known


class FutureEnd(ReactorEvent):
    """Fires when a future is done, with its result or error. Not for other threads."""

    def __init__(self, reactor: Reactor, future: Future[Any]) -> None:
        super().__init__(reactor)
        self.loop = reactor
        self.future = future
        self.claimed = False  # somebody has asked for the outcome

    def arm(self) -> None:
        super().arm()
        completion = completion_of(self.future)
        completion.waiting.add(self)
        if self.future.done():  # after that: from now on nobody can miss it
            self.take(self.future)

    def disarm(self) -> None:
        super().disarm()
        completion_of(self.future).waiting.discard(self)

    def take(self, future: Future[Any]) -> None:
        """Fire with its outcome; for the thread of the run."""
        if not self.starts:
            return  # nobody waits any more
        try:
            error = future.exception()
        except BaseException as cancelled:
            self.fire(error=cancelled)
        else:
            self.fire(None if error is not None else future.result(), error)

    def outcome(self) -> Any:
        self.claimed = True
        return super().outcome()

    def cancel(self) -> bool:
        """Ask it not to begin; False if it has. Never suspends."""
        return self.future.cancel()

    def info(self) -> str:
        return repr(self.future)


def end_of(future: Future[Any]) -> FutureEnd:
    """The event of its end, for the run of this thread. Never suspends."""
    return FutureEnd(running_scheduler("await_").reactor, future)


def tell_lost_error(future: Future[Any]) -> None:
    """Give its error, when it has one, to `sys.unraisablehook`; for one nobody waits for."""

    def completed(future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            tell_unraisable(error, future)

    future.add_done_callback(completed)

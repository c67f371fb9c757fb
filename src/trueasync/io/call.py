"""Call: what `ThreadPool.submit` returns, to ask for the result."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ..reactor.thread_call import ThreadCall
from ..scheduler.calls import running_scheduler
from ..sync.awaitable import register
from .futures import FutureEnd, tell_lost_error

T = TypeVar("T")

__all__ = ["Call"]


class Call(Generic[T]):
    """What `ThreadPool.submit` returns. Not for other threads than that of the run."""

    def __init__(self, event: ThreadCall | FutureEnd) -> None:
        self.event = event

    def __del__(self) -> None:
        if isinstance(self.event, FutureEnd) and not self.event.claimed:
            tell_lost_error(self.event.future)

    def result(self, timeout: float | None = None) -> T:
        """What the function returned; raises what it raised, or `Cancelled`.

        TimeoutError after `timeout` seconds; the call goes on.
        Suspends the coroutine, except when the result is there.
        """
        self.wait(timeout)
        value: T = self.event.outcome()
        return value

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """What the function raised, or None. Suspends as `result` does."""
        self.wait(timeout)
        try:
            self.event.outcome()
        except BaseException as error:
            return error
        return None

    def wait(self, timeout: float | None) -> None:
        if self.event.fired:
            return
        scheduler = running_scheduler("Call.result")
        if timeout is None:
            scheduler.wait(self.event)
        elif scheduler.wait(self.event, scheduler.reactor.timer(timeout)) is not self.event:
            raise TimeoutError(f"{self!r} has not ended within {timeout} s")

    def cancel(self) -> bool:
        """Have it not called; False if it is too late for that. Never suspends."""
        if isinstance(self.event, ThreadCall):
            return self.event.withdraw()
        return self.event.cancel()

    def done(self) -> bool:
        """Whether it has ended, or was cancelled. Never suspends."""
        if isinstance(self.event, FutureEnd):
            return self.event.future.done()
        return self.event.fired

    def __repr__(self) -> str:
        return f"<Call, {self.event.info()}>"


def event_of_call(call: Call[Any]) -> ThreadCall | FutureEnd:
    """How `await_` and `select` wait for one. Never suspends."""
    return call.event


register(f"{__name__}.Call", event_of_call)

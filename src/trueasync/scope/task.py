"""Task: one function in a TaskGroup, whether it waits for its turn, runs or has ended."""

from __future__ import annotations

import contextvars
import sys

from ..errors import Cancelled
from ..events.event import Event, Listener
from ..scheduler.calls import running_scheduler
from ..scheduler.location import user_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from types import TracebackType
    from typing import Any

    from ..scheduler.calls import Options
    from ..scheduler.coroutine import Coroutine

__all__ = ["Task"]


class Task(Event):
    """What `TaskGroup.spawn` returns; fires at its end. Not for other threads."""

    def __init__(self, key: Hashable, call: Callable[[], Any], settled: Callable[[Task], object]):
        self.key = key
        self.coroutine: Coroutine[Any] | None = None  # None until it is its turn
        self.taken = False  # somebody has seen what became of it
        self._call: Callable[[], Any] | None = call
        self._settled: Callable[[Task], object] | None = settled
        self._contextvars = contextvars.copy_context()
        self._frame = user_frame(sys._getframe())
        self._failure: BaseException | None = None
        self._trace: TracebackType | None = None

    # -- for its owner --------------------------------------------------------------------

    def result(self, timeout: float | None = None) -> Any:
        """What its function returned, or raises what it raised; `Cancelled` if cancelled.

        Waits for its end, at most `timeout` seconds, then raises TimeoutError.
        Suspends the coroutine, except when the result is there. Not for other threads.
        """
        scheduler = running_scheduler("Task.result")
        timer = None if timeout is None else scheduler.reactor.timer(timeout)
        if not self.fired and scheduler.wait(self, timer) is not self:
            raise TimeoutError(f"{self.info()} did not come within {timeout} s")
        return self.outcome()

    def outcome(self) -> Any:
        """Its result, or raises its error; from now on that is the caller's. Never suspends."""
        self.taken = True
        if self._failure is None:
            return super().outcome()
        if isinstance(self._failure, Cancelled):
            raise Cancelled(f"task {self.key!r} was cancelled")  # who asks has not been
        raise self._failure.with_traceback(self._trace)

    def done(self) -> bool:
        """Whether it has finished, failed or been cancelled. Never suspends."""
        return self.fired

    def exception(self) -> BaseException | None:
        """What it failed with, once it is done; None if it did not. Never suspends."""
        self.taken = True
        return self._failure

    def cancel(self) -> bool:
        """Ask it to stop; one that waits for its turn never runs. False if it is done.

        Never suspends. Not for other threads.
        """
        if self.fired:
            return False
        if self.coroutine is not None:
            return self.coroutine.cancel()
        self.settle(Cancelled(f"task {self.key!r} was cancelled"))
        return True

    def info(self) -> str:
        return f"the end of task {self.key!r}"

    def __repr__(self) -> str:
        state = "done" if self.fired else "running" if self.coroutine else "waits for its turn"
        return f"<Task {self.key!r}, {state}>"

    # -- for its group --------------------------------------------------------------------

    def begin(self, options: Options) -> None:
        """It is its turn; if it cannot begin any more, it is cancelled. Never suspends."""
        assert self._call is not None
        try:
            self.coroutine = self._contextvars.run(options.spawn, self._call)
        except RuntimeError as error:  # the scope was cancelled, or the run ends
            self.settle(Cancelled(f"task {self.key!r} could not begin: {error}"))
            return
        self.coroutine.set_spawn_frame(self._frame)
        self.coroutine.add_listener(End(self))

    def ended(self) -> None:
        """Its coroutine has ended. Never suspends."""
        assert self.coroutine is not None
        try:
            self.settle(None, self.coroutine.outcome())
        except BaseException as error:
            self.settle(error)

    def settle(self, failure: BaseException | None, value: Any = None) -> None:
        """This has become of it. Never suspends."""
        settled, self._settled, self._call, self._frame = self._settled, None, None, None
        if failure is not None:
            self._failure = failure
            self._trace = failure.__traceback__
        self.fire(value, failure)
        if settled is not None:
            settled(self)


class End(Listener):
    """Told when the coroutine of a task has ended."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def notify(self, event: Event) -> bool:
        self.task.ended()
        return True

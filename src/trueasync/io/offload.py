"""offload: call a function that would block in a native thread, and wait for it."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar, overload

from ..reactor.workers import Crew
from ..scheduler.calls import running_scheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["offload"]

MOST_THREADS = 64
crew = Crew(MOST_THREADS)


@overload
def offload(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


@overload
def offload(
    executor: Executor, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T: ...


def offload(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call `function(*args, **kwargs)` in a native thread, and return what it returns.

    `offload(executor, function, ...)` has any `concurrent.futures.Executor` do it.
    At most 64 calls are in threads at a time, for all runs together; others wait for their
    turn. Contextvars are those of the caller. If the coroutine is cancelled, this ends at
    once: a call that has not begun never does; one that has runs to its end for nobody, and
    its error, if it raises one, goes to `sys.unraisablehook`.
    Suspends the coroutine. Not for other threads than that of the run.
    """
    scheduler = running_scheduler("offload")
    if not callable(function):
        return offload_to(function, *args, **kwargs)
    call = scheduler.reactor.thread(function, args, kwargs, crew)
    scheduler.wait(call)
    return call.outcome()


def offload_to(executor: Executor, function: Callable[P, T], /, *args: Any, **kwargs: Any) -> T:
    """As `offload`, with an executor. Suspends the coroutine. Not for other threads."""
    from .executors import submit
    from .futures import FutureEnd, tell_lost_error

    scheduler = running_scheduler("offload")
    future = submit(executor, function, args, kwargs)
    end = FutureEnd(scheduler.reactor, future)
    try:
        scheduler.wait(end)
    except BaseException:
        if not future.cancel():
            tell_lost_error(future)
        raise
    result: T = end.outcome()
    return result

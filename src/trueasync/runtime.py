"""The one place that puts a scheduler and a reactor together."""

from __future__ import annotations

import os
import sys

from .io import output
from .reactor.base import Reactor
from .reactor.interrupts import Interrupts
from .reactor.reactor import UvReactor
from .scheduler.arena import arena_install, arena_stats
from .scheduler.calls import running_scheduler
from .scheduler.coroutine import Coroutine
from .scheduler.home import run_main
from .scheduler.moment import Moment
from .scheduler.order import order_from_environment
from .scheduler.scheduler import Scheduler

TYPE_CHECKING = False  # importing typing costs more than all the rest of trueasync
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["on_main_start", "run", "run_on", "stats"]

CO_COROUTINE = 0x80  # as in inspect, which is dear to import
main_handlers: list[Callable[[Coroutine[Any], Moment], object]] = []


def run(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function(*args, **kwargs)` as the main coroutine and return what it returns.

    Returns when it and everything it spawned have ended. An error nobody took ends the
    run: everyone is cancelled, and the error is raised here.
    Blocks the thread; any number of threads may have a run each.
    """
    if getattr(getattr(function, "__code__", None), "co_flags", 0) & CO_COROUTINE:
        raise TypeError(f"{function!r} is async; run() takes an ordinary function, which may wait")
    return run_on(UvReactor(), function, args, kwargs)


def run_on(
    reactor: Reactor,
    function: Callable[..., T],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
) -> T:
    """As `run`, with a reactor of the caller's choice, which is closed at the end.

    Blocks the thread; any number of threads may have a run each.
    """
    order = interrupts = None
    try:
        order = order_from_environment()
        if os.environ.get("TRUEASYNC_ARENA_CACHE") != "0":
            arena_install()
        output.install()
        scheduler = Scheduler(reactor, order)
        interrupts = Interrupts(scheduler.interrupt)
        interrupts.install()
        result: T = run_main(scheduler, function, args, kwargs or None, main_handlers)
        return result
    except BaseException as error:
        if order is not None and not isinstance(error, SystemExit):
            print(f"this failed with TRUEASYNC_SCHED={order.name}", file=sys.stderr)
        raise
    finally:
        reactor.close()
        if interrupts is not None:
            interrupts.remove()  # last: closing puts it back, where a coroutine awaited SIGINT


def on_main_start(handler: Callable[[Coroutine[Any], Moment], object]) -> None:
    """Give every main coroutine from now on this switch handler; first called as ENTER.

    For what must be in place before a run begins. Never suspends. Safe from any thread.
    """
    main_handlers.append(handler)


def stats() -> dict[str, int]:
    """Counters of this thread's run: coroutines, switches, contexts, polls, memory chunks.

    Never suspends. Not for other threads than that of the run.
    """
    return {**running_scheduler("stats").stats(), **arena_stats()}

"""The one place that puts a scheduler and a reactor together."""

from __future__ import annotations

import os
import signal
import sys
from _thread import get_ident

from . import exit_phase
from .errors import UsageError
from .io import output
from .io.foreign import register_foreign
from .reactor.base import Reactor
from .reactor.reactor import UvReactor
from .reactor.run_handler import RunHandler
from .scheduler.arena import arena_install, arena_stats
from .scheduler.calls import Options as SpawnOptions
from .scheduler.calls import running_scheduler, spawn
from .scheduler.coroutine import Coroutine
from .scheduler.fork import go_on_alone
from .scheduler.home import run_main
from .scheduler.location import location_of_frame
from .scheduler.moment import Moment, Priority
from .scheduler.order import order_from_environment
from .scheduler.runs import runs
from .scheduler.scheduler import Scheduler
from .settings import Settings

TYPE_CHECKING = False  # importing typing costs more than all the rest of trueasync
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    from .scheduler.on_signal import ReportAt
    from .scheduler.watchdog import Watchdog

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["Options", "on_main_start", "options", "run", "run_on", "shutdown", "stats"]

register_foreign()
CO_COROUTINE = 0x80  # as in inspect, which is dear to import
main_handlers: list[Callable[[Coroutine[Any], Moment], object]] = []


def run(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function(*args, **kwargs)` as the main coroutine and return what it returns.

    Returns when it and everything it spawned have ended. An error nobody took ends the
    run: everyone is cancelled, and the error is raised here.
    Blocks the thread; any number of threads may have a run each.
    """
    refuse_async(function)
    inherited = runs.get(get_ident())
    if inherited is not None and inherited.forked and inherited.current is not None:
        return run_in_child(function, args, kwargs)
    return run_on(UvReactor(), function, args, kwargs)


def run_in_child(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """As `run`, where a fork has left a run of one: what `multiprocessing` calls, for instance."""
    scheduler = running_scheduler("run")
    here = scheduler.current
    try:
        result: T = spawn(function, *args, **kwargs).result()
        return result
    finally:
        while others := [each for each in scheduler.coroutines() if each is not here]:
            scheduler.wait(others[0])


def refuse_async(function: Callable[..., object]) -> None:
    if getattr(getattr(function, "__code__", None), "co_flags", 0) & CO_COROUTINE:
        raise TypeError(f"{function!r} is async; run() takes an ordinary function, which may wait")


class Options(SpawnOptions):
    """How to spawn, or to run, where the default does not fit; see `options`."""

    def __init__(self, name: str | None, priority: int, settings: dict[str, Any]) -> None:
        given = [option for option, value in settings.items() if value is not None]
        refusal = f"{', '.join(given)}: for run(), not for spawn()" if given else None
        super().__init__(name, priority, refusal)
        self.for_spawn = name is not None or priority != Priority.NORMAL
        self.settings = Settings(**settings)

    def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """As `run`, with these options.

        Blocks the thread; any number of threads may have a run each.
        """
        if self.for_spawn:
            raise UsageError("name, priority: for spawn(), not for run()")
        refuse_async(function)
        return run_on(UvReactor(), function, args, kwargs, self.settings)


def options(
    *,
    name: str | None = None,
    priority: int = Priority.NORMAL,
    grace: float | None = None,
    watchdog: float | None = None,
    report_on: int | None = None,
) -> Options:
    """`options(name="db").spawn(fn, ...)`, `options(grace=5, watchdog=0.1).run(main, ...)`.

    For `spawn`: `name`; `priority`, NORMAL or HIGH. For `run`: `grace`, the seconds that
    clean-ups have in a shutdown; `watchdog`, the seconds after which a coroutine that has not
    let go of the thread is named on stderr; `report_on`, a signal that writes `report()` there.
    Never suspends. Safe from any thread.
    """
    settings = {"grace": grace, "watchdog": watchdog, "report_on": report_on}
    return Options(name, priority, settings)


def run_on(
    reactor: Reactor,
    function: Callable[..., T],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    settings: Settings | None = None,
) -> T:
    """As `run`, with a reactor of the caller's choice, which is closed at the end.

    Blocks the thread; any number of threads may have a run each.
    """
    order = scheduler = None
    helpers: list[Watchdog | ReportAt | RunHandler] = []
    try:
        order = order_from_environment()
        settings = settings or Settings()
        if os.environ.get("TRUEASYNC_ARENA_CACHE") != "0":
            arena_install()
        output.install()
        scheduler = Scheduler(reactor, order)
        scheduler.shutdown.seconds = settings.grace
        scheduler.at_exit = settings.at_exit
        exit_phase.install(run_at_exit)
        start_helpers(scheduler, settings, helpers)
        result: T = run_main(scheduler, function, args, kwargs or None, main_handlers)
        return result
    except BaseException as error:
        if order is not None and not isinstance(error, SystemExit):
            print(f"this failed with TRUEASYNC_SCHED={order.name}", file=sys.stderr)
        raise
    finally:
        try:
            # In the child of a fork it is another one; the parent's is left alone.
            (scheduler.reactor if scheduler is not None else reactor).close()
        finally:
            # Last: closing puts back the handlers of a run, where a coroutine awaited a signal.
            for helper in helpers:
                helper.stop()


def run_at_exit(function: Callable[[], None]) -> None:
    settings = Settings(watchdog=0)  # no thread can be started any more
    settings.at_exit = True
    run_on(UvReactor(), function, settings=settings)


def after_fork_in_child() -> None:
    """A coroutine has forked: in the child it goes on alone, on a loop of its own."""
    scheduler = runs.get(get_ident())
    if scheduler is not None:
        go_on_alone(scheduler, scheduler.reactor.fork())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork_in_child)


def start_helpers(
    scheduler: Scheduler, settings: Settings, helpers: list[Watchdog | ReportAt | RunHandler]
) -> None:
    """What goes on beside a run; what nobody asks for is not even imported."""
    ending = scheduler.shutdown
    helpers += [
        RunHandler(signal.SIGINT, signal.default_int_handler, ending.at_interrupt),
        RunHandler(signal.SIGTERM, signal.SIG_DFL, ending.at_terminate),
    ]
    if settings.report_on is not None:
        from .scheduler.on_signal import ReportAt

        helpers.append(ReportAt(settings.report_on, settings.asked_for_reports))
    if settings.watchdog:
        from .scheduler.watchdog import Watchdog

        helpers.append(Watchdog(scheduler, settings.watchdog))
    for helper in helpers:
        helper.start()


def shutdown(*, grace: float | None = None) -> None:
    """End this run: cancel everyone, who may clean up for `grace` seconds, by default the run's.

    Then `run` returns what main has returned; None if main was cancelled by this. Again, with
    a shorter grace, it hurries. Never suspends: the caller, too, is cancelled at its next wait.
    Not for other threads than that of the run.
    """
    scheduler = running_scheduler("shutdown")
    if grace is not None and not grace >= 0:
        raise ValueError(f"the grace must be 0 or more seconds, not {grace}")
    where = location_of_frame(sys._getframe())
    scheduler.shutdown.begin(None, f"trueasync.shutdown() at {where}", grace)


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

"""Shutdown: how a run ends when something went wrong.

Graceful phase: everyone is cancelled once, and may wait in its clean-up.
Hard phase, when the grace is over or nothing moves any more: everyone is cancelled again,
and again at every wait.
"""

from __future__ import annotations

import sys
from _thread import get_ident

from ..errors import Cancelled, DeadlockError
from ..events.event import Event, Listener
from .groups import group_of
from .location import location_of_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .coroutine import Coroutine
    from .scheduler import Scheduler

# Kept for ever: letting go of a suspended greenlet throws into it once more.
abandoned: list[object] = []


class Shutdown:
    """The errors nobody took, and the phase they led to: running, graceful, hard."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.errors: list[BaseException] = []
        self.phase = "running"
        self.seconds = 10.0  # of grace
        self.grace: Event | None = None

    def begin(self, error: BaseException) -> None:
        """Start the graceful phase, with `error` as the reason; later ones are collected."""
        self.errors.append(error)
        if self.phase != "running":
            return
        self.phase = "graceful"
        self.grace = self.scheduler.reactor.timer(self.seconds)
        self.grace.hide()
        self.grace.add_listener(GraceOver(self))
        self.grace.start()
        self.scheduler.cancel_all(Cancelled, f"the run is shut down by {error!r}")

    def harden(self) -> None:
        """Start the hard phase."""
        if self.phase == "hard":
            return
        self.phase = "hard"
        self.scheduler.hard = True
        self.scheduler.cancel_all(Cancelled, "the run is shut down", True)

    def deadlock(self) -> None:
        """Nobody can run, nothing is armed, and coroutines wait."""
        if self.phase == "running":
            self.begin(DeadlockError(deadlock_in_words(self.scheduler)))
        elif self.phase == "graceful":
            self.harden()
        else:
            # They were all cancelled, and not one of them can run: their stacks are lost.
            for coroutine in self.scheduler.coroutines():
                self.scheduler.abandon(coroutine)

    def abandon(self, coroutine: Coroutine[Any], stack: object) -> None:
        """A coroutine ends no way: note where it stands, and keep its stack."""
        place = coroutine.suspend_location or location_of_frame(sys._getframe())
        text = f"{coroutine!r}, suspended at {place}, ignores its cancellation; abandoned"
        self.errors.append(RuntimeError(text))
        abandoned.append(stack)

    def outcome(self, main: Coroutine[Any]) -> Any:
        """What `run` returns or raises. Nothing that was collected is lost."""
        if self.grace is not None:
            self.grace.stop()
        if self.errors:
            self.raise_errors()
        return main.outcome()

    def raise_errors(self) -> NoReturn:
        errors, self.errors = self.errors, []
        # One that ends the program, or names the deadlock, must be seen as what it is.
        for error in errors:
            if isinstance(error, (KeyboardInterrupt, SystemExit, DeadlockError)):
                errors.remove(error)
                if errors:
                    raise error from group_of(errors)
                raise error
        error_of_all = group_of(errors)
        assert error_of_all is not None
        raise error_of_all


def deadlock_in_words(scheduler: Scheduler) -> str:
    from .report import report_of
    from .words import text_of_deadlock

    return text_of_deadlock(report_of(scheduler, get_ident(), everyone_waits=True))


class GraceOver(Listener):
    """Told when the grace of a shutdown has run out."""

    def __init__(self, shutdown: Shutdown) -> None:
        self.shutdown = shutdown

    def notify(self, event: Event) -> bool:
        self.shutdown.harden()
        return True

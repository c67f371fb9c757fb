"""Shutdown: how a run ends when something went wrong.

Graceful phase: everyone is cancelled once, and may wait in its clean-up.
Hard phase, when the grace is over or nothing moves any more: everyone is cancelled again,
and again at every wait.
"""

from __future__ import annotations

import math
import signal
import sys
from _thread import get_ident

from ..errors import Cancelled, DeadlockError
from ..events.event import Event, Listener
from .groups import group_of
from .location import location_of_frame
from .status import exit_as_after

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .coroutine import Coroutine
    from .scheduler import Scheduler

# Kept for ever: letting go of a suspended greenlet throws into it once more.
abandoned: list[object] = []


class Shutdown:
    """The errors nobody took, and the phase they led to: running, graceful, hard, over."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.errors: list[BaseException] = []
        self.phase = "running"
        self.asked_for = False  # by the program, which does not want an error
        self.seconds = 10.0  # of grace, unless somebody says otherwise
        self.deadline = math.inf  # when the graceful phase ends
        self.timer: Event | None = None

    def begin(
        self, error: BaseException | None, reason: str = "", grace: float | None = None
    ) -> None:
        """Start the graceful phase, because of `error` or `reason`; later errors are collected.

        Once it goes on, a `grace` can only shorten it. Never suspends.
        """
        if error is None:
            self.asked_for = True
        elif not any(error is known for known in self.errors):
            self.errors.append(error)
        if self.phase == "running":
            self.phase = "graceful"
            reason = reason or repr(error)
            self.scheduler.cancel_all(Cancelled, f"the run is shut down by {reason}")
            self.limit(self.seconds if grace is None else grace)
        elif self.phase == "graceful" and grace is not None:
            self.limit(grace)

    def limit(self, seconds: float) -> None:
        """Let the graceful phase end in `seconds`, unless it ends sooner."""
        deadline = self.scheduler.reactor.now() + seconds
        if deadline >= self.deadline:
            return
        self.deadline = deadline
        if self.timer is not None:
            self.timer.stop()
        self.timer = self.scheduler.reactor.timer(seconds)
        self.timer.hide()
        self.timer.add_listener(GraceOver(self))
        self.timer.start()

    def harden(self) -> None:
        """Start the hard phase."""
        if self.phase == "hard":
            return
        self.phase = "hard"
        self.scheduler.hard = True
        self.scheduler.cancel_all(Cancelled, "the run is shut down", True)

    # -- signals: called by a signal handler, on whatever stack that interrupts --------------

    def at_interrupt(self, number: int) -> None:
        """Ctrl-C: the first is for main; one that comes in the graceful phase ends that."""
        error = KeyboardInterrupt()
        if self.phase == "running":
            # A second one before main has had the first: something does not let go.
            if not self.scheduler.interrupt(error):
                raise error
        else:
            self.hurry(error)

    def at_terminate(self, number: int) -> None:
        """SIGTERM: shut down; the second ends the graceful phase, the third the process."""
        if self.phase == "hard":
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        error = SystemExit(exit_as_after(number, self.scheduler.at_exit))
        if self.scheduler.main is None:
            raise error  # it has not begun: there is nobody to be cancelled
        if self.phase == "running":
            self.begin(error, signal.Signals(number).name)
        else:
            self.hurry(error)

    def hurry(self, error: BaseException) -> None:
        """End the graceful phase, with `error`; it is raised in whoever holds the thread now."""
        if self.phase == "over":
            raise error
        for known in self.errors:
            if type(known) is type(error):
                error = known  # one Ctrl-C is as good as two
        if error not in self.errors:
            self.errors.append(error)
        self.harden()
        if self.scheduler.current is not None:
            raise error

    # -- the end ------------------------------------------------------------------------------

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
        self.phase = "over"
        if self.timer is not None:
            self.timer.stop()
        if self.errors:
            self.raise_errors()
        if self.asked_for and main.cancelled():
            return None
        return main.outcome()

    def raise_errors(self) -> NoReturn:
        errors, self.errors = self.errors, []
        # One that ends the program, or names the deadlock, must be seen as what it is.
        for error in errors:
            if isinstance(error, (KeyboardInterrupt, SystemExit, DeadlockError)):
                errors.remove(error)
                if not errors:
                    raise error
                cause = group_of(errors)
                assert cause is not None
                if isinstance(error, SystemExit):
                    # An exit is silent; what went wrong on the way to it is not.
                    sys.excepthook(type(cause), cause, cause.__traceback__)
                raise error from cause
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

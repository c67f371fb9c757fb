"""Reports at a signal: what `kill -USR1` is to a program that seems to hang."""

from __future__ import annotations

import signal

from ..errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

__all__ = ["ReportAt"]


class ReportAt:
    """A signal handler that writes `report()` to stderr, for the time of a run."""

    def __init__(self, number: int, asked_for: bool) -> None:
        self.number = number
        self.asked_for = asked_for  # by the program, and not by the environment
        self.before = signal.getsignal(number)
        self.installed = False

    def start(self) -> None:
        """Take the signal; for the environment only if nobody has it. Never suspends."""
        if self.before is not signal.SIG_DFL and not self.asked_for:
            return
        # Now, and not inside the handler: that may interrupt an import.
        from . import report, words

        self.take, self.write = report.report, words.to_stderr
        try:
            signal.signal(self.number, self.on_signal)
            self.installed = True
        except ValueError:
            if self.asked_for:
                raise UsageError(
                    "report_on works in the main thread only: Python handles signals there; "
                    "a run there reports the runs of all threads"
                ) from None

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        # Whatever goes wrong here, the program that is interrupted has nothing to do with.
        try:
            text = f"{self.take()}\n"
        except Exception as error:
            text = f"trueasync: the report failed: {error!r}\n"
        self.write(text)

    def stop(self) -> None:
        """Put back what was there, unless there is another handler by now. Never suspends."""
        if self.installed and signal.getsignal(self.number) == self.on_signal:
            signal.signal(self.number, self.before)

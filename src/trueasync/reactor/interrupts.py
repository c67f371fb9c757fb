"""Interrupts: Ctrl-C raises KeyboardInterrupt where the run wants it."""

from __future__ import annotations

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Interrupts"]


class Interrupts:
    """The handler of SIGINT during a run; `deliver(error)` says whether somebody takes it."""

    def __init__(self, deliver: Callable[[KeyboardInterrupt], bool]) -> None:
        self.deliver = deliver
        self.installed = False

    def install(self) -> None:
        """Take the place of Python's own handler, and of no other. Never suspends."""
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return  # somebody else wants it
        try:
            signal.signal(signal.SIGINT, self)
            self.installed = True
        except ValueError:
            pass  # another thread than the main one: no signal comes here

    def __call__(self, number: int, frame: object) -> None:
        # A second one before the first was taken: something does not let go of the thread.
        if not self.deliver(KeyboardInterrupt()):
            raise KeyboardInterrupt

    def remove(self) -> None:
        """Put Python's handler back, unless there is another by now. Never suspends."""
        if self.installed and signal.getsignal(signal.SIGINT) is self:
            signal.signal(signal.SIGINT, signal.default_int_handler)

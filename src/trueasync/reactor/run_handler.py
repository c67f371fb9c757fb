"""RunHandler: what a run does at a signal that nobody else has a handler for."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    Default = Callable[[int, FrameType | None], object] | signal.Handlers

__all__ = ["RunHandler"]


class RunHandler:
    """Takes the place of the default for one signal during a run, and of nothing else.

    Who waits for that signal (dispositions.py) takes its place in turn.
    """

    def __init__(self, number: int, default: Default, act: Callable[[int], None]) -> None:
        self.number = number
        self.default = default
        self.act = act
        self.process = os.getpid()
        self.installed = False

    def start(self) -> None:
        """Take the place of the default, if that is what is there. Never suspends."""
        if signal.getsignal(self.number) is not self.default:
            return  # somebody else wants it
        try:
            signal.signal(self.number, self)
            self.installed = True
        except ValueError:
            pass  # another thread than the main one: no signal comes here

    def __call__(self, number: int, frame: object) -> None:
        if os.getpid() != self.process:
            # The child of a fork inside the run, which is not the child's.
            self.as_by_default()
        else:
            self.act(number)

    def as_by_default(self) -> None:
        """Do what the signal does without a run. Never suspends."""
        signal.signal(self.number, self.default)
        signal.raise_signal(self.number)

    def stop(self) -> None:
        """Put the default back, unless there is another handler by now. Never suspends."""
        there: object = signal.getsignal(self.number)
        if self.installed and there is self:
            signal.signal(self.number, self.default)

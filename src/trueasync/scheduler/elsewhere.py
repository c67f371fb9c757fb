"""Elsewhere: the end of something that another thread may bring about, as an event here."""

from __future__ import annotations

from ..reactor.base import Reactor, ReactorEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .completion import Completion

__all__ = ["Elsewhere"]


class Elsewhere(ReactorEvent):
    """Fires in the thread of `reactor` when the completion is done, wherever that happens."""

    def __init__(self, reactor: Reactor, completion: Completion[Any]) -> None:
        super().__init__(reactor)
        self.home = reactor
        self.completion = completion
        self.asked = False

    def arm(self) -> None:
        super().arm()
        if self.completion.done():
            self.fire()
        elif not self.asked:
            self.asked = True  # it cannot be taken back: once is enough for any number of waits
            self.completion.add_done_callback(lambda done: self.home.post(self.fire))

    def outcome(self) -> Any:
        return self.completion.outcome()

    def failed(self) -> bool:
        return self.completion.failed()

    def cancel(self) -> bool:
        return self.completion.cancel()

    def info(self) -> str:
        return self.completion.info()

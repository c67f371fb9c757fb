"""Scripted: events of the outside world that happen when a test says so.

A virtual reactor has no system below it. A test plays that part: it lets a descriptor become
readable, a signal arrive, a child end, with `VirtualReactor.happen`.
"""

from __future__ import annotations

from ..reactor.base import Descriptor, Reactor, Readiness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

__all__ = ["Script", "ScriptedDescriptor", "ScriptedEvent"]


class ScriptedEvent(Readiness):
    """Fires when the test says that it happens."""

    def __init__(self, reactor: Reactor, script: Script, what: str, which: Hashable) -> None:
        super().__init__(reactor)
        self.script = script
        self.key = (what, which)

    def arm(self) -> None:
        super().arm()
        self.script.waiting.setdefault(self.key, []).append(self)
        if self.script.remembered.get(self.key):
            self.script.remembered[self.key] -= 1
            self.fire()

    def disarm(self) -> None:
        super().disarm()
        self.script.waiting[self.key].remove(self)

    def info(self) -> str:
        return f"{self.key[0]} of {self.key[1]}"


class ScriptedDescriptor(Descriptor):
    """A number that becomes readable and writable when the test says so."""

    def __init__(self, reactor: Reactor, script: Script, fd: int) -> None:
        self.reactor = reactor
        self.script = script
        self.number = fd

    def readable(self) -> Readiness:
        return ScriptedEvent(self.reactor, self.script, "readable", self.number)

    def writable(self) -> Readiness:
        return ScriptedEvent(self.reactor, self.script, "writable", self.number)

    def close(self, reason: BaseException | None) -> None:
        for what in ("readable", "writable"):
            error = reason or OSError(9, f"descriptor {self.number} was closed")
            for event in list(self.script.waiting.get((what, self.number), ())):
                event.fire(error=error)


class Script:
    """Who waits for what, and readiness that nobody waited for yet."""

    def __init__(self) -> None:
        self.waiting: dict[tuple[str, Hashable], list[ScriptedEvent]] = {}
        self.remembered: dict[tuple[str, Hashable], int] = {}

    def happen(
        self, what: str, which: Hashable, value: Any = None, error: BaseException | None = None
    ) -> int:
        """Fire those that wait for it; how many those were. Never suspends."""
        waiting = list(self.waiting.get((what, which), ()))
        if what == "signal" and value is None:
            value = which  # as a real one: with its number
        if what in ("readable", "writable"):
            if not waiting:
                self.remembered[what, which] = 1
            waiting = waiting[:1]  # first come, first served, one each time
        for event in waiting:
            event.fire(value, error)
        return len(waiting)

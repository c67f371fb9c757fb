"""News: any number of coroutines wait for the next thing to happen, and look again."""

from __future__ import annotations

from ..events.event import Event
from ..scheduler.calls import running_scheduler

__all__ = ["News"]


class News:
    """`wait` returns at the next `tell`; `what` says in reports what that will be."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.next: Piece | None = None

    def wait(self) -> None:
        """Suspends the coroutine until `tell` is called. Not for other threads."""
        if self.next is None:
            self.next = Piece(self.what)
        running_scheduler("wait").wait(self.next)

    def tell(self) -> None:
        """Wake all who wait. Never suspends. Not for other threads."""
        piece, self.next = self.next, None
        if piece is not None:
            piece.fire()


class Piece(Event):
    """One thing that will happen."""

    def __init__(self, what: str) -> None:
        self.what = what

    def info(self) -> str:
        return self.what

"""Things of others that can be waited for; what that takes is imported by the first wait."""

from __future__ import annotations

from ..sync.awaitable import register

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from ..events.event import Event

__all__ = ["register_foreign"]


def register_foreign() -> None:
    """Make `await_` and `select` know them. Never suspends."""
    register("concurrent.futures._base.Future", future_end)


def future_end(future: Future[Any]) -> Event:
    from .futures import end_of

    return end_of(future)

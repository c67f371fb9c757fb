"""Waiting for descriptors that are not ours to keep: looked at for one wait, then let go.

The epoll descriptors of `select` and `selectors` all look the same to fstat, so a number
that came to name another one would go unnoticed if it stayed watched.
"""

from __future__ import annotations

import select
import sys

from ..scheduler.calls import in_coroutine, running_scheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Timeout", "wait_for_any", "wait_readable", "waits_here"]

native_epoll = getattr(select, "epoll", None)


class Timeout:
    """A time for several waits, in seconds; None for no end."""

    def __init__(self, seconds: float | None) -> None:
        self.reactor = running_scheduler("wait").reactor
        self.end = None if seconds is None else self.reactor.now() + seconds

    def left(self) -> float | None:
        """Seconds until the end, at least 0; None if there is none. Never suspends."""
        return None if self.end is None else max(0.0, self.end - self.reactor.now())


def wait_readable(fd: int, seconds: float | None) -> bool:
    """Wait until `fd` can be read, or seems so; False after `seconds`. Suspends the coroutine."""
    scheduler = running_scheduler("wait")
    descriptor = scheduler.reactor.descriptor(fd)
    event = descriptor.readable()
    try:
        if seconds is None:
            scheduler.wait(event)
            return True
        return scheduler.wait(event, scheduler.reactor.timer(seconds)) is event
    finally:
        descriptor.close(None)  # another who waits for it looks again


def wait_for_any(masks: Mapping[int, int], seconds: float | None) -> bool:
    """Wait until one of some descriptors is ready; False after `seconds`.

    `masks` are the events of `poll`, by descriptor. Suspends the coroutine.
    """
    if native_epoll is None:
        raise NotImplementedError(f"several descriptors cannot be waited for on {sys.platform}")
    with native_epoll(max(1, len(masks))) as gathered:
        for fd, mask in masks.items():
            gathered.register(fd, mask)
        return wait_readable(gathered.fileno(), seconds)


def waits_here(seconds: object) -> bool:
    """Whether a call with this timeout has to be made polite. Never suspends."""
    return in_coroutine() and (
        seconds is None or (isinstance(seconds, (int, float)) and seconds > 0)
    )

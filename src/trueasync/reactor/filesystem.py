"""Filesystem: fires when something changes below a path."""

from __future__ import annotations

import os

from .base import ReactorEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .watches import Shared, Watches

__all__ = ["Filesystem", "filesystem"]


def filesystem(watches: Watches, path: str | os.PathLike[str], recursive: bool) -> Filesystem:
    """A new wait for changes below `path`. Never suspends."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError(f"the path to watch must be text, not {name!r}; see os.fsdecode()")
    return Filesystem(watches, os.path.abspath(name), recursive)


class Filesystem(ReactorEvent):
    """One wait for changes below a path; fires with those that have come, as a list.

    A listener that starts the next one for the same path, when it is told, misses none.
    Not for other threads.
    """

    def __init__(self, watches: Watches, path: str, recursive: bool) -> None:
        super().__init__(watches.reactor)
        self.watches = watches
        self.path = path
        self.recursive = recursive
        self.shared: Shared | None = None  # while it is armed: the tree, and who else waits

    def arm(self) -> None:
        if self.watches.reactor.closed:
            raise RuntimeError(f"{self.info()} cannot be waited for: the reactor is closed")
        self.shared = self.watches.join(self)
        super().arm()

    def disarm(self) -> None:
        super().disarm()
        shared, self.shared = self.shared, None
        if shared is not None:
            self.watches.leave(self, shared)

    def info(self) -> str:
        return f"changes {'below' if self.recursive else 'in'} {self.path}"

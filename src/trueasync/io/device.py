"""Device: what a path names that is no file on a disk: a named pipe, a terminal, /dev/null.

It has no position. It is tried at once, and waited for where it would block.
"""

from __future__ import annotations

import os
import warnings

from ..scheduler.calls import running_scheduler
from .stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from typing_extensions import Buffer

    from ..events.event import Event
    from ..reactor.base import Descriptor, Reactor

__all__ = ["Device"]

LARGEST_READ = 1 << 18


class Device(Stream):
    """A stream over a descriptor that does not block. Not for other threads."""

    def __init__(
        self,
        path: str | bytes | PathLike[str] | PathLike[bytes],
        fd: int,
        mode: str,
        awaits_writer: bool = False,
    ) -> None:
        self.path = path
        self.mode = mode
        self.fd = fd
        # Read at once, a named pipe that nobody has opened for writing yet seems to have ended.
        self.awaits_writer = awaits_writer
        self.watched: Descriptor | None = None
        self.reactor: Reactor | None = None

    def __del__(self) -> None:
        if getattr(self, "fd", -1) >= 0:
            warnings.warn(f"{self!r} was never closed", ResourceWarning, 2, self)
            self.close()

    def fileno(self) -> int:
        """Its descriptor; -1 when it is closed. Never suspends."""
        return self.fd

    def readable(self) -> bool:
        """Whether it was opened for reading. Never suspends."""
        return "r" in self.mode or "+" in self.mode

    def writable(self) -> bool:
        """Whether it was opened for writing. Never suspends."""
        return self.mode[0] in "wax" or "+" in self.mode

    def seekable(self) -> bool:
        """False: it has no position. Never suspends."""
        return False

    def info(self) -> str:
        return repr(os.fsdecode(self.path))

    # -- the kind ---------------------------------------------------------------------------

    def receive(self, size: int) -> bytes:
        size = min(size, LARGEST_READ)
        if self.awaits_writer:
            self.wait(self.descriptor().readable(), "read from")
            self.awaits_writer = False
        while True:
            try:
                return os.read(self.fd, size)
            except BlockingIOError:
                self.wait(self.descriptor().readable(), "read from")
            except OSError as error:
                raise self.failure("read from", error) from None

    def transmit(self, data: Buffer) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            try:
                left = left[os.write(self.fd, left) :]
            except BlockingIOError:
                self.wait(self.descriptor().writable(), "write to")
            except OSError as error:
                raise self.failure("write to", error) from None
        return size

    def release(self) -> None:
        fd, self.fd = self.fd, -1
        try:
            if self.watched is not None and not self.watched.closed:
                self.watched.close(self.refusal("use"))
        finally:
            self.watched = self.reactor = None
            os.close(fd)

    # -- waiting ----------------------------------------------------------------------------

    def descriptor(self) -> Descriptor:
        """Who watches it in this run. Never suspends."""
        reactor = running_scheduler("wait").reactor
        if self.watched is None or self.reactor is not reactor or self.watched.closed:
            self.reactor = reactor
            self.watched = reactor.descriptor(self.fd)
        return self.watched

    def wait(self, event: Event, what: str) -> None:
        """Wait for `event`, to `what`. Suspends the coroutine."""
        running_scheduler("wait").wait(event)
        if self.closed:
            raise self.refusal(what)
        event.outcome()

    def failure(self, what: str, error: OSError) -> OSError:
        """`error` with the name of this. Never suspends."""
        if self.closed:
            return self.refusal(what)
        number: Any = error.errno
        return OSError(number, os.strerror(number), os.fsdecode(self.path))

"""Device: what a path names that is no file on a disk: a named pipe, a terminal, /dev/null.

It has no position. It is tried at once, and waited for where it would block.
"""

from __future__ import annotations

import os
import warnings

from .stream import Stream
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Buffer

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
        self.watch = Watch(fd)

    def __del__(self) -> None:
        if getattr(self, "fd", -1) >= 0:
            warnings.warn(f"{self!r} was never closed", ResourceWarning, 2, self)
            fd, self.fd = self.fd, -1
            self.watch.abandon(lambda: os.close(fd))

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
        if self.awaits_writer:
            self.watch.await_readable(self)
            self.awaits_writer = False
        data: bytes = self.watch.read(self, os.read, self.fd, min(size, LARGEST_READ))
        return data

    def transmit(self, data: Buffer) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            left = left[self.watch.write(self, os.write, self.fd, left) :]
        return size

    def release(self) -> None:
        fd, self.fd = self.fd, -1
        try:
            self.watch.end(self)
        finally:
            os.close(fd)

"""Buffer: a file of ours as Python's own `io` knows files, for what was written for those.

For TextIOWrapper, and so for text, csv and json; and for pickle, zipfile, tarfile, shutil.
"""

from __future__ import annotations

import io
import os
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Buffer as Bytes

    from .device import Device
    from .file import File

__all__ = ["Buffer"]


class Buffer(io.BufferedIOBase):
    """A `File` or `Device` with the methods of Python's binary files. Each waits as that does.

    `flush` does nothing, as nothing is kept back; the file's own `flush` goes to the disk.
    Not for other threads.
    """

    def __init__(self, file: File | Device) -> None:
        self.file = file

    def __del__(self) -> None:
        pass  # closing may wait, a finalizer had better not: the file itself knows what to do

    def _dealloc_warn(self, source: object) -> None:
        # TextIOWrapper calls it when it is closed by its finalizer.
        warnings.warn(f"{source!r} was never closed", ResourceWarning, 2, self)

    @property
    def name(self) -> str | bytes:
        """The path it was opened by."""
        return os.fspath(self.file.path)

    @property
    def mode(self) -> str:
        """What it was opened for."""
        return self.file.mode

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self.file.closed

    def close(self) -> None:
        """As that of the file. Suspends the coroutine."""
        self.file.close()

    def fileno(self) -> int:
        """As that of the file. Never suspends."""
        return self.file.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal. Never suspends."""
        return os.isatty(self.file.fileno())

    def readable(self) -> bool:
        """As that of the file. Never suspends."""
        return self.file.readable()

    def writable(self) -> bool:
        """As that of the file. Never suspends."""
        return self.file.writable()

    def seekable(self) -> bool:
        """As that of the file. Never suspends."""
        return self.file.seekable()

    def read(self, size: int | None = -1) -> bytes:
        """`size` bytes, or all. Suspends the coroutine."""
        if size is None or size < 0:
            return self.file.read_all()
        data = self.file.read(size)
        while len(data) < size and (more := self.file.read(size - len(data))):
            data += more  # a device gives what there is
        return data

    def read1(self, size: int = -1) -> bytes:
        """What one request gives. Suspends the coroutine."""
        return self.file.read(size if size >= 0 else io.DEFAULT_BUFFER_SIZE)

    def readinto(self, target: Any) -> int:
        """Fill `target`. Suspends the coroutine."""
        view = memoryview(target).cast("B")
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)

    def readinto1(self, target: Any) -> int:
        """Put into `target` what one request gives. Suspends the coroutine."""
        return self.file.read_into(target)

    def readline(self, size: int | None = -1) -> bytes:
        """A line, or `size` bytes of it. Suspends the coroutine."""
        if size is None or size < 0:
            return self.file.read_line(limit=LONGEST_LINE)
        return super().readline(size)

    def write(self, data: Bytes) -> int:
        """Write all of it. Suspends the coroutine."""
        return self.file.write(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """As that of the file. Suspends the coroutine."""
        return self.positioned("seek").seek(offset, whence)

    def tell(self) -> int:
        """As that of the file. Never suspends."""
        return self.positioned("tell").tell()

    def truncate(self, size: int | None = None) -> int:
        """As that of the file. Suspends the coroutine."""
        return self.positioned("truncate").truncate(size)

    def positioned(self, call: str) -> File:
        """The file, if it has a position. Never suspends."""
        if not self.file.seekable():
            raise io.UnsupportedOperation(f"{call}: {self.file.info()} has no position")
        file: Any = self.file
        return file  # type: ignore[no-any-return]


LONGEST_LINE = 1 << 62

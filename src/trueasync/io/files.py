"""Opening files, and reading and writing whole ones."""

from __future__ import annotations

import os
import stat

from .device import Device
from .file import File
from .jobs import OpenJob, do
from .whole import LoadJob, StoreJob

TYPE_CHECKING = False
if TYPE_CHECKING:
    import io
    from os import PathLike
    from typing import Any, Literal, TypeAlias, overload

    from typing_extensions import Buffer

    Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
    BinaryMode = Literal["rb", "wb", "ab", "xb", "r+b", "w+b", "a+b", "x+b"]
    TextMode = Literal["r", "w", "a", "x", "r+", "w+", "a+", "x+"]
else:

    def overload(function: object) -> object:
        """As that of typing, which is dear to import."""
        return function


__all__ = ["open_file", "read_file", "write_file"]

FLAGS = {
    "r": 0,
    "w": os.O_CREAT | os.O_TRUNC,
    "a": os.O_CREAT | os.O_APPEND,
    "x": os.O_CREAT | os.O_EXCL,
}
SUFFIXES: tuple[list[str], ...] = ([], ["+"], ["b"], ["t"], ["+", "b"], ["+", "t"])
PERMISSIONS = 0o666  # less the umask, as everywhere


@overload
def open_file(path: Path, mode: BinaryMode, *, permissions: int = 0o666) -> File | Device: ...
@overload
def open_file(  # noqa: F811 - ruff knows overloads only of typing
    path: Path,
    mode: TextMode = "r",
    *,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    permissions: int = 0o666,
) -> io.TextIOWrapper: ...
def open_file(  # noqa: F811
    path: Path,
    mode: str = "r",
    *,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    permissions: int = PERMISSIONS,
) -> File | Device | io.TextIOWrapper:
    """Open a file, as `open` does: a `File` in binary mode ("rb"), a text file otherwise.

    A path that names a pipe or a device gives a `Device`, which has no position.
    Suspends the coroutine, unless the file is in the cache and only read.
    Not for other threads than that of the run.
    """
    letters = binary_mode(mode, encoding, errors, newline)
    job = OpenJob(path, flags_of(letters), permissions)
    do(job)
    file = opened(path, letters + "b", job.take(), job)
    if "b" in mode:
        return file
    import io

    from .buffer import Buffer

    try:
        return io.TextIOWrapper(Buffer(file), encoding, errors, newline)
    except BaseException:
        file.close()
        raise


def read_file(path: Path) -> bytes:
    """All that is in a file.

    Suspends the coroutine, unless it is short and in the cache. Not for other threads.
    """
    job = LoadJob(path, os.O_RDONLY)
    do(job)
    data: bytes | None = job.outcome()
    if data is not None:
        return data
    with opened(path, "rb", job.take(), job) as file:
        return file.read_all()


def write_file(path: Path, data: Buffer, mode: str = "w") -> int:
    """Make a file of `data`, and say how many bytes that were.

    Mode "w" replaces another file, "x" refuses to, "a" adds to its end. If this raises, some
    of it may have been written. Suspends the coroutine. Not for other threads.
    """
    if mode not in ("w", "x", "a"):
        raise ValueError(f'the mode is "w" (replace), "x" (new) or "a" (append), not {mode!r}')
    job = StoreJob(path, flags_of(mode), PERMISSIONS, data)
    do(job)
    size: int | None = job.outcome()
    if size is not None:
        return size
    with Device(path, job.take(), mode + "b") as device:
        return device.write(data)


def opened(path: Path, mode: str, fd: int, job: Any) -> File | Device:
    """The handle for what a job has opened. Never suspends."""
    if stat.S_ISREG(job.kind) or stat.S_ISBLK(job.kind):
        return File(path, fd, mode, job.length if "a" in mode else 0)
    return Device(path, fd, mode, stat.S_ISFIFO(job.kind) and mode[0] == "r")


def binary_mode(mode: str, *text_options: str | None) -> str:
    """Which of r, w, a, x it is, with "+" or not; if all of that can be. Never suspends."""
    kinds = [letter for letter in mode if letter in FLAGS]
    rest = sorted(set(mode) - set(kinds))
    if len(kinds) != 1 or len(rest) + 1 != len(mode) or rest not in SUFFIXES:
        raise ValueError(f'a mode is one of r, w, a, x, with "+" and "b" or not; not {mode!r}')
    if "b" in mode and text_options != (None, None, None):
        raise ValueError("encoding, errors and newline are for text; the mode says binary")
    return kinds[0] + "+" * ("+" in mode)


def flags_of(letters: str) -> int:
    """What the system is told. Never suspends."""
    access = os.O_RDWR if "+" in letters else os.O_RDONLY if letters == "r" else os.O_WRONLY
    return access | FLAGS[letters[0]]

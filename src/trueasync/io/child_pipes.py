"""ChildPipes: the pipes to a child that is about to be started."""

from __future__ import annotations

import os
import subprocess

from .pipe import PipeStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ChildPipes"]


class ChildPipes:
    """Makes a pipe for each of stdin, stdout and stderr that is to be PIPE.

    `given` is what the child gets; our ends become streams when it is there.
    """

    def __init__(self, size: int, **wanted: Any) -> None:
        self.given: dict[str, Any] = wanted
        self.ours: dict[str, int] = {}
        self.theirs: list[int] = []
        try:
            for name, what in wanted.items():
                if what == subprocess.PIPE:
                    self.make(name, size)
        except BaseException:
            self.close()
            raise

    def make(self, name: str, size: int) -> None:
        reader, writer = os.pipe()
        ours, theirs = (writer, reader) if name == "stdin" else (reader, writer)
        self.ours[name] = ours
        self.theirs.append(theirs)
        self.given[name] = theirs
        if size > 0:
            import fcntl

            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, size)

    def close_theirs(self) -> None:
        """The child has them now. Never suspends."""
        while self.theirs:
            os.close(self.theirs.pop())

    def close(self) -> None:
        """There is no child. Never suspends."""
        self.close_theirs()
        while self.ours:
            os.close(self.ours.popitem()[1])

    def stream(self, name: str, pid: int) -> PipeStream | None:
        """Our end as a stream, once; None if that is no pipe. Never suspends."""
        fd = self.ours.pop(name, None)
        return None if fd is None else PipeStream(fd, f"the {name} of process {pid}")

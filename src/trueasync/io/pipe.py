"""PipeStream: one end of a pipe."""

import os

import cython
from cython.cimports.trueasync.io.descriptor_stream import DescriptorStream
from cython.cimports.trueasync.io.transfer import NO_SOCKET


@cython.final
@cython.cclass
class PipeStream(DescriptorStream):
    """One end of a pipe: one reads, the other writes. Made by `pipe`; `close` is its end.

    Not for other threads than that of the run it is used in.
    """

    def __init__(self, fd: int, name: str = "a pipe"):
        os.set_blocking(fd, False)  # or a write would block the thread, however much was free
        self.fd = fd
        self.name = name
        self.flags = NO_SOCKET

    @cython.ccall
    def info(self) -> str:
        return self.name

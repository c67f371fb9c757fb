"""File: a file on a disk, as a stream that has a position.

A read or a write has its turn, whichever it is: there is one position. So at most one write
is in flight, and the lines of several writers stay whole and all arrive.
"""

import errno
import os

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING
from cython.cimports.libc.string import memcpy
from cython.cimports.trueasync.io.handle import none_of
from cython.cimports.trueasync.io.jobs import FileJob, ReadJob, WriteJob
from cython.cimports.trueasync.io.pieces import first_of, rest_of
from cython.cimports.trueasync.io.pinned import PinnedStream
from cython.cimports.trueasync.io.stream import Stream
from cython.cimports.trueasync.io.transfer import give_way

from ..errors import LimitExceeded
from .jobs import sync_job, truncate_job

# A read of more asks how long the file is, before it takes the memory.
TRUSTED_SIZE = cython.declare(cython.Py_ssize_t, 1 << 18)


@cython.final
@cython.cclass
class File(PinnedStream):
    """A file that is open; made by `open_file`. What would wait for a disk is done by threads.

    Not for other threads than that of the run it is used in.
    """

    def __init__(self, path, fd: int, mode: str, position: int = 0):
        self.path = path
        self.mode = mode
        self.fd = fd
        self.position = position
        self.writable_too = any(letter in mode for letter in "wax+")
        self.appending = "a" in mode
        self.writing = self.reading  # one position, one turn

    # -- reading ----------------------------------------------------------------------------

    def read(self, size: cython.Py_ssize_t = -1) -> bytes:
        """`size` bytes, fewer only at the end of the file; without a size, all to the end.

        If this raises, nothing was taken.
        Suspends the coroutine, unless they are in the cache. Not for other threads.
        """
        self.begin_reading()
        try:
            if size < 0:
                return self.read_rest(None)
            if size == 0:
                return b""
            if size <= self.ahead.count:
                return self.ahead.take(size)
            self.settle()
            data: bytes = self.read_at(size, self.position)
            self.position += len(data)
            return data
        finally:
            self.end_reading()

    def read_all(self, limit=None) -> bytes:
        """Everything to the end; LimitExceeded if that is more than `limit` bytes.

        If this raises, nothing was taken.
        Suspends the coroutine, unless it is in the cache. Not for other threads.
        """
        self.begin_reading()
        try:
            return self.read_rest(limit)
        finally:
            self.end_reading()

    def read_at(self, size: cython.Py_ssize_t, offset: cython.longlong) -> bytes:
        """As `read`, at `offset`; the position stays, and several may do so at the same time.

        Suspends the coroutine, unless they are in the cache. Not for other threads.
        """
        if self.closed:
            raise self.refusal("read from")
        if size <= 0:
            return none_of(size)
        if offset < 0:
            raise ValueError(f"an offset must be 0 or more, not {offset}")
        if size > TRUSTED_SIZE:
            size = min(size, max(self.length() - offset, TRUSTED_SIZE))
        data: bytes = self.read_piece(size, offset)
        if not data or len(data) == size:
            return data
        # Not all of it was in the cache, or it is the end.
        pieces: list = [data]
        got: cython.Py_ssize_t = len(data)
        while data and got < size:
            data = self.read_piece(size - got, offset + got)
            got += len(data)
            pieces.append(data)
        return b"".join(pieces) if got > len(pieces[0]) else pieces[0]

    # -- writing ----------------------------------------------------------------------------

    def write_at(self, data, offset: cython.longlong) -> int:
        """As `write`, at `offset`; the position stays.

        Suspends the coroutine. Not for other threads.
        """
        if self.appending:
            raise OSError(errno.EINVAL, f"{self.info()} only grows at its end: mode {self.mode!r}")
        if offset < 0:
            raise ValueError(f"an offset must be 0 or more, not {offset}")
        self.begin_writing()
        try:
            return self.write_pieces([data], offset, False)
        finally:
            self.end_writing()

    def flush(self, data_only: bool = False) -> None:
        """Bring all that was written to the disk (fsync); `data_only` without its times.

        Suspends the coroutine. Not for other threads.
        """
        self.begin_writing()
        try:
            self.fly(sync_job(self.path, self.fd, data_only), False)
        finally:
            self.end_writing()

    def truncate(self, size=None) -> int:
        """Make it `size` bytes long, or end it at the position; the position stays.

        Suspends the coroutine. Not for other threads.
        """
        self.begin_writing()
        try:
            self.settle()
            end: cython.longlong = self.position if size is None else size
            self.fly(truncate_job(self.path, self.fd, end), True)
            return end
        finally:
            self.end_writing()

    # -- to a stream ------------------------------------------------------------------------

    def sendfile(self, stream: Stream, offset=None, size=None) -> int:
        """Send `size` bytes, or all to the end, into `stream`; how many those were.

        From `offset`, or from the position, which then moves. Into a socket they go within
        the kernel. If this raises, some of it may have been sent.
        Suspends the coroutine. Not for other threads.
        """
        from .sendfile import sendfile

        if offset is not None:
            if self.closed:
                raise self.refusal("send")
            return sendfile(self, stream, offset, size)
        self.begin_reading()
        try:
            self.settle()
            sent: cython.longlong = sendfile(self, stream, self.position, size)
            self.position += sent
            return sent
        finally:
            self.end_reading()

    # -- the position -----------------------------------------------------------------------

    def tell(self) -> int:
        """The position: where the next byte is read or written. Never suspends."""
        return self.position - self.ahead.count

    def seek(self, offset: cython.longlong, whence: int = os.SEEK_SET) -> int:
        """Go to `offset` from the start, the position or the end; the new position.

        Suspends the coroutine while a read or write is under way. Not for other threads.
        """
        self.begin_reading()
        try:
            base: cython.longlong
            if whence == os.SEEK_SET:
                base = 0
            elif whence == os.SEEK_CUR:
                base = self.position - self.ahead.count
            elif whence == os.SEEK_END:
                base = self.length()
            else:
                raise ValueError(f"whence is SEEK_SET, SEEK_CUR or SEEK_END, not {whence!r}")
            if base + offset < 0:
                raise OSError(errno.EINVAL, f"cannot go to {base + offset} in {self.info()}")
            self.settle()
            self.position = base + offset
            return self.position
        finally:
            self.end_reading()

    # -- what it is -------------------------------------------------------------------------

    def stat(self) -> os.stat_result:
        """What the system knows of it: size, times, owner, mode. Never suspends."""
        if self.closed:
            raise self.refusal("look at")
        return os.fstat(self.fd)

    def readable(self) -> bool:
        """Whether it was opened for reading. Never suspends."""
        return "r" in self.mode or "+" in self.mode

    def writable(self) -> bool:
        """Whether it was opened for writing. Never suspends."""
        return self.writable_too

    def seekable(self) -> bool:
        """True: it has a position. Never suspends."""
        return True

    @cython.ccall
    def info(self) -> str:
        return repr(os.fsdecode(self.path))

    # -- the kind ---------------------------------------------------------------------------

    @cython.ccall
    def receive(self, size: cython.Py_ssize_t) -> bytes:
        data: bytes = self.read_piece(size, self.position)
        self.position += len(data)
        return data

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        # By a copy: a thread that reads on for who was cancelled must not write in his memory.
        if size == 0:
            return 0
        self.settle()
        data: bytes = self.read_at(size, self.position)
        memcpy(target, PyBytes_AS_STRING(data), len(data))
        self.position += len(data)
        return len(data)

    @cython.ccall
    def transmit(self, data):
        return self.transmit_all([data])

    @cython.ccall
    def transmit_all(self, parts: list):
        self.settle()
        return self.write_pieces(parts, -1 if self.appending else self.position, True)

    # -- positions --------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def settle(self) -> cython.int:
        """Forget what was read ahead: it still is in the file."""
        self.position -= self.ahead.count
        self.ahead.drop(self.ahead.count)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def length(self) -> cython.longlong:
        return os.fstat(self.fd).st_size

    @cython.cfunc
    def read_rest(self, limit) -> bytes:
        """All from the position to the end, however long the file says it is."""
        self.settle()
        pieces: list = []
        got: cython.longlong = 0
        while True:
            size: cython.longlong = max(self.length() - self.position - got, 0) + 1
            if limit is not None:
                size = min(size, max(limit - got, 0) + 1)
            data: bytes = self.read_at(size, self.position + got)
            got += len(data)
            if limit is not None and got > limit:
                raise LimitExceeded(f"more than {limit} bytes are in {self.info()}")
            pieces.append(data)
            if len(data) < size:
                break
        self.position += got
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    # -- jobs -------------------------------------------------------------------------------

    @cython.cfunc
    def read_piece(self, size: cython.Py_ssize_t, offset: cython.longlong) -> bytes:
        if not self.readable():
            raise OSError(
                errno.EBADF, f"cannot read from {self.info()}: it was opened to be written"
            )
        give_way()
        job: ReadJob = ReadJob(self.path, self.fd, size, offset)
        if not self.closed and job.try_now():
            return job.outcome()
        return self.fly(job, False)

    @cython.cfunc
    def write_pieces(self, parts: list, offset: cython.longlong, moves: cython.bint):
        """Write all of them, one job after the other."""
        if not self.writable_too:
            raise OSError(errno.EBADF, f"cannot write to {self.info()}: it was opened to be read")
        left: list = [view for part in parts if (view := memoryview(part).cast("B"))]
        written: cython.longlong = 0
        count: cython.longlong
        while left:
            self.moving = moves
            at: cython.longlong = offset if self.appending else offset + written
            count = self.fly(WriteJob(self.path, self.fd, first_of(left), at), True)
            written += count
            left = rest_of(left, count)
        return written

    @cython.ccall
    def written(self, job: FileJob):
        if self.appending:
            self.position = os.lseek(self.fd, 0, os.SEEK_CUR)
        elif self.moving and job.call.result > 0:
            self.position += job.call.result
        self.moving = False

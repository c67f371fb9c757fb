"""Stream: bytes in order, whole or in lines, over any kind that can receive and transmit.

What a line or `read_exactly` needs comes in pieces. Pieces that came for a request which was
then cancelled stay in `ahead`, so that nothing is lost; so does what came after a line.
"""

import errno

import cython
from cython.cimports.cpython.buffer import (
    Py_buffer,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.cpython.bytes import PyBytes_AS_STRING
from cython.cimports.libc.string import memcpy
from cython.cimports.trueasync.io.ahead import ReadAhead
from cython.cimports.trueasync.io.handle import READ_SIZE, Handle, none_of

from ..errors import IncompleteRead, LimitExceeded

# The longest line, unless the reader allows more: a peer must not fill our memory.
LINE_LIMIT = cython.declare(cython.Py_ssize_t, 1 << 20)
# Asked of the system at once, at most: what is to be read may never come.
LARGEST_PIECE = cython.declare(cython.Py_ssize_t, 1 << 20)


@cython.cclass
class Stream(Handle):
    """Bytes in order. `for line in stream` goes through its lines, `with` closes it.

    Not for other threads than that of the run it is used in.
    """

    def __cinit__(self):
        self.ahead = ReadAhead.__new__(ReadAhead)

    @property
    def read_ahead(self) -> int:
        """How many bytes have come that nobody has asked for: the next read has them at once."""
        return self.ahead.count

    # -- reading ----------------------------------------------------------------------------

    def read(self, size: cython.Py_ssize_t = READ_SIZE) -> bytes:
        """What there is, at least one byte and at most `size`; b"" at the end.

        Suspends the coroutine while there is nothing. Not for other threads.
        """
        self.begin_reading()
        try:
            if size <= 0:
                return none_of(size)
            if self.ahead.count:
                return self.ahead.take(min(size, self.ahead.count))
            return self.receive(size)
        finally:
            self.end_reading()

    def read_into(self, buffer) -> int:
        """Read into a writable buffer, such as a bytearray; how many bytes, 0 at the end.

        Suspends the coroutine while there is nothing. Not for other threads.
        """
        view: Py_buffer
        self.begin_reading()
        try:
            PyObject_GetBuffer(buffer, cython.address(view), PyBUF_WRITABLE)
            try:
                return self.put_into(cython.cast(cython.p_char, view.buf), view.len)
            finally:
                PyBuffer_Release(cython.address(view))
        finally:
            self.end_reading()

    def read_exactly(self, size: cython.Py_ssize_t) -> bytes:
        """Exactly `size` bytes; IncompleteRead, with what there was, if the end comes before.

        If anything else is raised, nothing was taken.
        Suspends the coroutine until they have come. Not for other threads.
        """
        self.begin_reading()
        try:
            if size <= 0:
                return none_of(size)
            while self.ahead.count < size:
                if not self.fetch(size - self.ahead.count):
                    raise self.incomplete(size)
            return self.ahead.take(size)
        finally:
            self.end_reading()

    def read_until(self, separator: bytes, limit: cython.Py_ssize_t = LINE_LIMIT) -> bytes:
        """Everything up to and with `separator`; IncompleteRead if the end comes before.

        LimitExceeded if that is more than `limit` bytes. If anything but IncompleteRead is
        raised, nothing was taken. Suspends the coroutine until it has come. Not for other threads.
        """
        if not separator:
            raise ValueError("there must be something to look for: the separator is empty")
        self.begin_reading()
        try:
            end: cython.Py_ssize_t = self.find_end(separator, limit)
            if end < 0:
                raise self.incomplete(separator)
            return self.ahead.take(end)
        finally:
            self.end_reading()

    def read_line(self, limit: cython.Py_ssize_t = LINE_LIMIT) -> bytes:
        """The next line, with its b"\\n"; the last may have none. b"" at the end.

        LimitExceeded if it is longer than `limit` bytes. If this raises, nothing was taken.
        Suspends the coroutine until the line has come. Not for other threads.
        """
        self.begin_reading()
        try:
            end: cython.Py_ssize_t = self.find_end(b"\n", limit)
            return self.ahead.take(end if end >= 0 else self.ahead.count)
        finally:
            self.end_reading()

    def read_all(self, limit=None) -> bytes:
        """Everything to the end; LimitExceeded as soon as that is more than `limit` bytes.

        If this raises, nothing was taken. Suspends the coroutine until the end has come.
        Not for other threads.
        """
        most: cython.Py_ssize_t = -1 if limit is None else limit
        self.begin_reading()
        try:
            while most < 0 or self.ahead.count <= most:
                if not self.fetch(READ_SIZE):
                    return self.ahead.take(self.ahead.count)
            raise LimitExceeded(f"more than {most} bytes came from {self.info()}")
        finally:
            self.end_reading()

    def __iter__(self):
        return self

    def __next__(self):
        """The next line, as `read_line`; the end of the stream ends the loop."""
        line: bytes = self.read_line()
        if not line:
            raise StopIteration
        return line

    # -- writing ----------------------------------------------------------------------------

    def write_buffers(self, buffers) -> int:
        """Write all of several buffers, as if they were one, and say how many bytes that were.

        If this raises, some of it may have been written.
        Suspends the coroutine while the other side takes no more. Not for other threads.
        """
        parts: list = list(buffers)
        self.begin_writing()
        try:
            return self.transmit_all(parts)
        finally:
            self.end_writing()

    def shutdown(self, direction: str = "write") -> None:
        """End one direction, "write" or "read", or "both"; the peer reads the end then.

        Never suspends, except where a kind says so. Not for other threads.
        """
        raise OSError(errno.ENOTSUP, f"{self.info()} has no direction to shut down; close it")

    # -- for kinds --------------------------------------------------------------------------

    @cython.ccall
    def transmit_all(self, parts: list):
        """As `write_buffers`, called by who has the turn to write; for a kind to say how.

        By default one after the other. Suspends the coroutine while the other side takes no more.
        """
        written: cython.Py_ssize_t = 0
        for part in parts:
            written += self.transmit(part)
        return written

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def receive_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """As `receive`, into memory; for a compiled kind that need not copy."""
        data: bytes = self.receive(size)
        if len(data) > size:
            raise RuntimeError(f"{self.info()} gave {len(data)} bytes where {size} were asked for")
        memcpy(target, PyBytes_AS_STRING(data), len(data))
        return len(data)

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        if size == 0 or self.ahead.count == 0:
            return self.receive_into(target, size) if size else 0
        size = min(size, self.ahead.count)
        self.ahead.take_into(target, size)
        return size

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fetch(self, wanted: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read ahead what there is; how much, 0 at the end."""
        if wanted <= READ_SIZE:
            # More than is wanted may have come already: the next request then has it at once.
            data: bytes = self.receive(READ_SIZE)
            self.ahead.add(PyBytes_AS_STRING(data), len(data))
            return len(data)
        wanted = min(wanted, LARGEST_PIECE)
        self.ahead.make_room(wanted)
        got: cython.Py_ssize_t = self.receive_into(self.ahead.tail(), wanted)
        self.ahead.added(got)
        return got

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def find_end(self, separator: bytes, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How much goes up to the end of `separator`, which is waited for; -1 at the end."""
        searched: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = len(separator)
        while True:
            at: cython.Py_ssize_t = self.ahead.find(separator, searched)
            if at >= 0 and at + size <= limit:
                return at + size
            if at >= 0 or self.ahead.count >= limit:
                raise LimitExceeded(
                    f"{separator!r} did not come within {limit} bytes from {self.info()}"
                )
            searched = max(0, self.ahead.count - size + 1)
            if not self.fetch(READ_SIZE):
                return -1

    @cython.cfunc
    def incomplete(self, expected):
        """What came instead of `expected`, taken out, as an error."""
        partial: bytes = self.ahead.take(self.ahead.count)
        what = f"{expected} bytes" if isinstance(expected, int) else f"{expected!r}"
        error = IncompleteRead(
            f"{self.info()} ended after {len(partial)} bytes, where {what} had to come"
        )
        error.partial = partial
        error.expected = expected
        return error

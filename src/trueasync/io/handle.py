"""Handle: what every open thing of the outside world has in common.

A kind (a socket, a pipe, a file, a terminal, TLS) says how to `receive`, `transmit` and
`release`. What it can rely on, and what users can, is here:

* One request at a time in each direction, in the order they came; whole requests, never the
  halves of two. A request that is cancelled before it had anything has taken nothing.
* Nothing is asked of a closed handle. Closing wakes who waits in it, with HandleClosed.
"""

import errno

import cython
from cython.cimports.trueasync.io.turns import Turns

from ..errors import HandleClosed

# What read() gives at most, if it is not told; more than most peers send at once.
READ_SIZE = cython.declare(cython.Py_ssize_t, 65536)


@cython.cclass
class Handle:
    """Something open that is read, written and closed; its kinds say what that means.

    Not for other threads than that of the run it is used in.
    """

    def __cinit__(self):
        self.reading = Turns.__new__(Turns)
        self.writing = Turns.__new__(Turns)

    # -- for users --------------------------------------------------------------------------

    def read(self, size: cython.Py_ssize_t = READ_SIZE) -> bytes:
        """What there is, at least one byte and at most `size`; b"" at the end.

        Suspends the coroutine while there is nothing. Not for other threads.
        """
        self.begin_reading()
        try:
            return self.receive(size) if size > 0 else none_of(size)
        finally:
            self.end_reading()

    def write(self, data) -> int:
        """Write all of `data`, and say how many bytes that were.

        If this raises, some of it may have been written.
        Suspends the coroutine while the other side takes no more. Not for other threads.
        """
        self.begin_writing()
        try:
            return self.transmit(data)
        finally:
            self.end_writing()

    @cython.ccall
    def close(self):
        """Close it; who waits in it gets HandleClosed. Twice is once.

        Never suspends, except where a kind says so. Not for other threads.
        """
        if self.closed:
            return
        self.closed = True
        try:
            self.release()
        finally:
            self.reading.dismiss()
            self.writing.dismiss()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close()

    def __repr__(self):
        return f"<{type(self).__name__} {self.info()}{', closed' if self.closed else ''}>"

    # -- for kinds --------------------------------------------------------------------------

    @cython.ccall
    def info(self) -> str:
        """What it is, in words, for messages: "127.0.0.1:80". Never suspends."""
        return type(self).__name__.lower()

    @cython.ccall
    def receive(self, size: cython.Py_ssize_t) -> bytes:
        """As `read`, called by who has the turn to read; for a kind to say how.

        If this raises, nothing was taken. Suspends the coroutine while there is nothing.
        """
        raise OSError(errno.EBADF, f"cannot read from {self.info()}: it can only be written")

    @cython.ccall
    def transmit(self, data):
        """As `write`, called by who has the turn to write; for a kind to say how.

        Suspends the coroutine while the other side takes no more.
        """
        raise OSError(errno.EBADF, f"cannot write to {self.info()}: it can only be read")

    @cython.ccall
    def release(self):
        """Let go of what the system holds, and wake who waits for it; for a kind to say how.

        Called once. `refusal` makes what they get. Never suspends, except where a kind says so.
        """

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def begin_reading(self) -> cython.int:
        """Have the turn to read of a handle that is open; `end_reading` gives it back.

        Suspends the coroutine while another has it.
        """
        if not self.closed:
            self.reading.take("read from", self)
            if not self.closed:
                return 0
            self.reading.pass_on()
        raise self.refusal("read from")

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def end_reading(self) -> cython.int:
        """Give the turn to read to who is next. Never suspends."""
        return self.reading.pass_on()

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def begin_writing(self) -> cython.int:
        """Have the turn to write to a handle that is open; `end_writing` gives it back.

        Suspends the coroutine while another has it.
        """
        if not self.closed:
            self.writing.take("write to", self)
            if not self.closed:
                return 0
            self.writing.pass_on()
        raise self.refusal("write to")

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def end_writing(self) -> cython.int:
        """Give the turn to write to who is next. Never suspends."""
        return self.writing.pass_on()

    @cython.ccall
    def refusal(self, what: str):
        """The error for who wants to `what` ("read from") a closed handle. Never suspends."""
        error = HandleClosed(errno.EBADF, f"cannot {what} {self.info()}: it was closed here")
        error.handle = self
        return error


@cython.cfunc
def none_of(size: cython.Py_ssize_t) -> bytes:
    """Nothing, for who asks for nothing."""
    if size < 0:
        raise ValueError(f"cannot read {size} bytes; read_all() reads to the end")
    return b""

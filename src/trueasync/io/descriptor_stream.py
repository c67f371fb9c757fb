"""DescriptorStream: a stream over a descriptor of the system; the base of sockets and pipes.

It costs no memory while it waits: what is read comes into memory that all share, and from
there into bytes of the right size. Only who is known to read much gets memory of its own,
and that only after the wait.
"""

import errno
import os
import warnings
from functools import partial

import cython
from cython.cimports.cpython.buffer import (
    Py_buffer,
    PyBUF_SIMPLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.cpython.bytes import (
    PyBytes_AS_STRING,
    PyBytes_CheckExact,
    PyBytes_FromStringAndSize,
    PyBytes_GET_SIZE,
)
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync._c.socket import close
from cython.cimports.trueasync.io.gather import Gather
from cython.cimports.trueasync.io.stream import Stream
from cython.cimports.trueasync.io.transfer import CLOSED, receive, send_all
from cython.cimports.trueasync.reactor.base import Descriptor
from cython.cimports.trueasync.scheduler.current import require_scheduler, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import UsageError

SHARED_SIZE = cython.declare(cython.Py_ssize_t, 65536)
shared = cython.declare(cython.char[65536])
# Fewer bytes than that in several buffers are copied into one: quicker than a list of them.
COPIED = cython.declare(cython.Py_ssize_t, 16384)


@cython.cclass
class DescriptorStream(Stream):
    """A stream over a descriptor, which it owns and closes.

    Not for other threads than that of the run it is used in.
    """

    def __cinit__(self):
        self.fd = -1

    def __del__(self):
        if self.fd >= 0:
            try:
                text = f"{self!r} was never closed"
                warnings.warn(text, ResourceWarning, stacklevel=1, source=self)
            finally:
                self.abandon()

    # -- for users --------------------------------------------------------------------------

    def fileno(self) -> int:
        """Its descriptor; -1 when it is closed. Never suspends."""
        return self.fd

    def detach(self) -> int:
        """Give the descriptor away: whoever calls this owns it, and the stream is closed.

        Never suspends. Not for other threads.
        """
        if self.closed:
            raise self.refusal("detach")
        if self.ahead.count:
            raise UsageError(
                f"{self.info()} has read {self.ahead.count} bytes ahead, which would be lost; "
                "read them first"
            )
        fd: cython.int = self.unwatch()
        self.close()
        return fd

    @cython.ccall
    def close(self):
        if not self.closed and self.is_watched_elsewhere():
            raise UsageError(f"{self.info()} is in use in another run; close it there")
        Stream.close(self)

    # -- the kind ---------------------------------------------------------------------------

    @cython.ccall
    def receive(self, size: cython.Py_ssize_t) -> bytes:
        self.enter()
        got: cython.Py_ssize_t = receive(
            self.descriptor, shared, min(size, SHARED_SIZE), self.flags, -1.0
        )
        if got < 0:
            raise self.failure("read from", got)
        return PyBytes_FromStringAndSize(shared, got)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def receive_into(self, target: cython.p_char, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        self.enter()
        got: cython.Py_ssize_t = receive(self.descriptor, target, size, self.flags, -1.0)
        if got < 0:
            raise self.failure("read from", got)
        return got

    @cython.ccall
    def transmit(self, data):
        if PyBytes_CheckExact(data):
            return self.put(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))
        view: Py_buffer
        PyObject_GetBuffer(data, cython.address(view), PyBUF_SIMPLE)
        try:
            return self.put(cython.cast(cython.p_char, view.buf), view.len)
        finally:
            PyBuffer_Release(cython.address(view))

    @cython.cfunc
    def put(self, source: cython.p_const_char, size: cython.Py_ssize_t):
        if size == 0:
            return 0
        self.enter()
        put: cython.Py_ssize_t = send_all(self.descriptor, source, size, self.flags, -1.0)
        if put < 0:
            raise self.failure("write to", put)
        return put

    @cython.ccall
    def transmit_all(self, parts: list):
        gather: Gather = Gather.__new__(Gather)
        gather.hold(parts)
        if gather.left <= COPIED:
            return self.transmit(b"".join(parts))
        self.enter()
        put: cython.Py_ssize_t = gather.send_all(self.descriptor, self.flags)
        if put < 0:
            raise self.failure("write to", put)
        return put

    @cython.ccall
    def release(self):
        fd: cython.int = self.unwatch()
        if fd >= 0:
            close(fd)  # it reports errors of earlier writes on files, never on sockets and pipes

    # -- its descriptor ---------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.int:
        """Be watched by the reactor of the run that goes on here."""
        scheduler: Scheduler = scheduler_here()
        if cython.cast(cython.pointer(PyObject), scheduler) != self.run or self.descriptor.closed:
            self.change_run()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def change_run(self) -> cython.int:
        scheduler: Scheduler = require_scheduler("read or write")
        if self.is_watched():
            raise UsageError(f"{self.info()} is in use in another run, which has not ended")
        self.descriptor = scheduler.reactor.descriptor(self.fd)
        self.reactor = scheduler.reactor
        self.run = cython.cast(cython.pointer(PyObject), scheduler)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_watched(self) -> cython.bint:
        return self.descriptor is not None and not self.descriptor.closed

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_watched_elsewhere(self) -> cython.bint:
        """Whether the reactor of another run watches it: that must not be touched here."""
        if not self.is_watched():
            return False
        scheduler: Scheduler = scheduler_here()
        return scheduler is None or scheduler.reactor is not self.reactor

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def unwatch(self) -> cython.int:
        """Wake who waits, and give up the descriptor; -1 if that has been done."""
        fd: cython.int = self.fd
        if self.is_watched():
            self.descriptor.close(None)
        self.fd = -1
        self.descriptor = self.reactor = None
        return fd

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def abandon(self) -> cython.int:
        """Close it from wherever the last reference to it went."""
        if not self.is_watched_elsewhere():
            self.close()
            return 0
        # Its reactor must not be touched from here, and must have let go before the close.
        if not self.reactor.post(partial(let_go, self.descriptor, self.fd)):
            os.close(self.fd)
        self.fd = -1
        return 0

    @cython.cfunc
    def failure(self, what: str, answer: cython.Py_ssize_t):
        """An answer of the transfer as an exception."""
        if self.closed:
            return self.refusal(what)
        if answer == CLOSED:
            return OSError(
                errno.EBADF,
                f"cannot {what} {self.info()}: its descriptor was closed by someone else; "
                "close a stream with its own close(), which wakes who waits",
            )
        error = OSError(-answer, f"cannot {what} {self.info()}: {os.strerror(-answer)}")
        error.handle = self  # so that a server knows whose peer has gone
        return error


def let_go(descriptor: Descriptor, fd: int) -> None:
    """Close a descriptor in the thread that watches it. Never suspends."""
    descriptor.close(None)
    os.close(fd)

"""Gather: several buffers that are written as if they were one."""

import cython
from cython.cimports.cpython.buffer import (
    Py_buffer,
    PyBUF_SIMPLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.libc.errno import EAGAIN, EINTR, errno
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset
from cython.cimports.trueasync._c.python import PyErr_CheckSignals
from cython.cimports.trueasync._c.socket import (
    MSG_DONTWAIT,
    MSG_NOSIGNAL,
    iovec,
    msghdr,
    sendmsg,
    writev,
)
from cython.cimports.trueasync.io.transfer import CLOSED, NO_SOCKET, fires_before, give_way, refuse
from cython.cimports.trueasync.reactor.base import Descriptor, Readiness

# As many as any system takes in one call.
MOST_PARTS = cython.declare(cython.Py_ssize_t, 1024)


@cython.final
@cython.cclass
class Gather:
    """Holds the buffers for as long as it lives, and knows how much of them is still to go."""

    def __dealloc__(self):
        index: cython.Py_ssize_t
        for index in range(self.held):
            PyBuffer_Release(cython.address(self.views[index]))
        free(self.views)
        free(self.parts)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def hold(self, buffers: list) -> cython.int:
        """Take hold of `buffers`; once."""
        count: cython.size_t = len(buffers) or 1
        self.views = cython.cast(cython.pointer(Py_buffer), calloc(count, cython.sizeof(Py_buffer)))
        self.parts = cython.cast(cython.pointer(iovec), calloc(count, cython.sizeof(iovec)))
        if self.views == cython.NULL or self.parts == cython.NULL:
            raise MemoryError(f"no memory to write {count} buffers")
        view: cython.pointer(Py_buffer)
        for buffer in buffers:
            view = cython.address(self.views[self.held])
            PyObject_GetBuffer(buffer, view, PyBUF_SIMPLE)
            self.parts[self.held].iov_base = view.buf
            self.parts[self.held].iov_len = view.len
            self.held += 1
            self.left += view.len
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def send_all(self, descriptor: Descriptor, flags: cython.int) -> cython.Py_ssize_t:
        """As `transfer.send_all`, for the buffers."""
        size: cython.Py_ssize_t = self.left
        event: Readiness = None
        give_way()
        if descriptor.closed:
            return CLOSED
        while self.left > 0:
            put: cython.Py_ssize_t = self.try_send(descriptor.fd, flags)
            if put < 0 and put != -EAGAIN:
                return put
            # A list too long for one call goes on at once; less than was given has to wait.
            if put != -EAGAIN and self.advance(put):
                continue
            if event is None:
                event = descriptor.writable()
            else:
                event.again()
            fires_before(event, -1.0)
            if descriptor.closed or event.error is not None:
                return refuse(descriptor, event)
        return size

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def try_send(self, fd: cython.int, flags: cython.int) -> cython.Py_ssize_t:
        count: cython.size_t = min(self.held - self.first, MOST_PARTS)
        message: msghdr
        put: cython.Py_ssize_t
        while True:
            if flags == NO_SOCKET:
                put = writev(fd, self.parts + self.first, cython.cast(cython.int, count))
            else:
                memset(cython.address(message), 0, cython.sizeof(msghdr))
                message.msg_iov = self.parts + self.first
                message.msg_iovlen = count
                put = sendmsg(fd, cython.address(message), flags | MSG_DONTWAIT | MSG_NOSIGNAL)
            if put >= 0 or errno != EINTR:
                return put if put >= 0 else -errno
            PyErr_CheckSignals()

    @cython.cfunc
    @cython.exceptval(check=False)
    def advance(self, put: cython.Py_ssize_t) -> cython.bint:
        """`put` bytes are gone; whether those were all that could go in one call."""
        last: cython.Py_ssize_t = min(self.held, self.first + MOST_PARTS)
        part: cython.pointer(iovec)
        self.left -= put
        while self.first < last:
            part = cython.address(self.parts[self.first])
            if cython.cast(cython.Py_ssize_t, part.iov_len) > put:
                part.iov_base = cython.cast(cython.p_char, part.iov_base) + put
                part.iov_len -= put
                return False
            put -= part.iov_len
            self.first += 1
        return True

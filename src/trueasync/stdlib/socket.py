"""socket: how a socket of the standard library waits inside a coroutine.

Nothing is replaced but methods of `socket.socket` itself: sockets and subclasses that were
made before wait politely as well. What reads and writes goes through io/transfer.py; all
else is the original method of a twin that never blocks (watched.py), tried when it is ready.
"""

import _socket
import errno
import os
import select as native_select
from _socket import AF_UNIX, MSG_WAITALL, SO_ERROR, SOL_SOCKET
from _socket import socket as Socket

import cython
from cython.cimports.cpython.buffer import (
    Py_buffer,
    PyBUF_SIMPLE,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.io.transfer import (
    CLOSED,
    TIMED_OUT,
    fires_before,
    receive,
    send_all,
)
from cython.cimports.trueasync.io.transfer import send as send_some
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.stdlib.watched import Watched, find, forget, forget_all, watch

gettimeout = Socket.gettimeout
native_poll = native_select.poll
POLLIN = cython.declare(cython.int, native_select.POLLIN)
POLLOUT = cython.declare(cython.int, native_select.POLLOUT)
WAIT_FOR_ALL = cython.declare(cython.int, MSG_WAITALL)
# These look at something else than readiness, and never wait.
SPECIAL = cython.declare(cython.int, _socket.MSG_OOB | getattr(_socket, "MSG_ERRQUEUE", 0))
UNIX_RETRY_DELAY = 0.005  # seconds; nothing reports that a backlog has room again


# -- reading and writing ------------------------------------------------------------------


def recv(self, bufsize, flags=0, /):
    """As socket.recv. Suspends the coroutine while there is nothing."""
    watched: Watched = watched_here(self)
    if watched is None or flags & SPECIAL or bufsize <= 0:
        return native(Socket.recv, self, (bufsize, flags), POLLIN)
    size: cython.Py_ssize_t = bufsize
    data: bytes = PyBytes_FromStringAndSize(cython.NULL, size)
    got: cython.Py_ssize_t = receive_from(self, watched, PyBytes_AS_STRING(data), size, flags)
    return data if got == size else data[:got]


def recv_into(self, buffer, nbytes=0, flags=0):
    """As socket.recv_into. Suspends the coroutine while there is nothing."""
    watched: Watched = watched_here(self)
    if watched is None or flags & SPECIAL or nbytes < 0:
        return native(Socket.recv_into, self, (buffer, nbytes, flags), POLLIN)
    view: Py_buffer
    try:
        PyObject_GetBuffer(buffer, cython.address(view), PyBUF_WRITABLE)
    except BufferError:
        return Socket.recv_into(self, buffer, nbytes, flags)  # refused in its own words
    try:
        size: cython.Py_ssize_t = nbytes or view.len
        if size == 0 or size > view.len:
            return native(Socket.recv_into, self, (buffer, nbytes, flags), POLLIN)
        return receive_from(self, watched, cython.cast(cython.p_char, view.buf), size, flags)
    finally:
        PyBuffer_Release(cython.address(view))


@cython.cfunc
@cython.exceptval(-1, check=True)
def receive_from(
    socket, watched: Watched, target: cython.p_char, size: cython.Py_ssize_t, flags: cython.int
) -> cython.Py_ssize_t:
    timeout: cython.double = seconds(gettimeout(socket))
    done: cython.Py_ssize_t = 0
    while True:
        got: cython.Py_ssize_t = receive(
            watched.descriptor, target + done, size - done, flags & ~WAIT_FOR_ALL, timeout
        )
        if got < 0:
            raise failure(got)
        done += got
        if got == 0 or done == size or not flags & WAIT_FOR_ALL:
            return done


def send(self, data, flags=0, /):
    """As socket.send. Suspends the coroutine while there is no room."""
    watched: Watched = watched_here(self)
    if watched is None:
        return native(Socket.send, self, (data, flags), POLLOUT)
    return write(watched, data, flags, seconds(gettimeout(self)), False)


def sendall(self, data, flags=0, /):
    """As socket.sendall. Suspends the coroutine while there is no room."""
    watched: Watched = watched_here(self)
    if watched is None:
        return native_sendall(self, data, flags)
    write(watched, data, flags, seconds(gettimeout(self)), True)
    return None


@cython.cfunc
@cython.exceptval(-1, check=True)
def write(
    watched: Watched, data, flags: cython.int, timeout: cython.double, everything: cython.bint
) -> cython.Py_ssize_t:
    view: Py_buffer
    put: cython.Py_ssize_t
    PyObject_GetBuffer(data, cython.address(view), PyBUF_SIMPLE)
    try:
        source = cython.cast(cython.p_const_char, view.buf)
        if everything and view.len:
            put = send_all(watched.descriptor, source, view.len, flags, timeout)
        else:
            put = send_some(watched.descriptor, source, view.len, flags, timeout)
    finally:
        PyBuffer_Release(cython.address(view))
    if put < 0:
        raise failure(put)
    return put


def native_sendall(self, data, flags):
    """The original, also where coroutines have made the descriptor non-blocking."""
    if find(self) is None or gettimeout(self) is not None:
        return Socket.sendall(self, data, flags)
    with memoryview(data) as view, view.cast("B") as rest:
        done = 0
        while done < len(rest):
            done += native(Socket.send, self, (rest[done:], flags), POLLOUT)
    return None


# -- all else: a method of the twin, when it is ready -----------------------------------------


def recvfrom(self, *arguments):
    """As socket.recvfrom. Suspends the coroutine while there is nothing."""
    return call(self, Socket.recvfrom, arguments, POLLIN)


def recvfrom_into(self, buffer, nbytes=0, flags=0):
    """As socket.recvfrom_into. Suspends the coroutine while there is nothing."""
    return call(self, Socket.recvfrom_into, (buffer, nbytes, flags), POLLIN)


def recvmsg(self, *arguments):
    """As socket.recvmsg. Suspends the coroutine while there is nothing."""
    return call(self, Socket.recvmsg, arguments, POLLIN)


def recvmsg_into(self, buffers, /, *arguments):
    """As socket.recvmsg_into. Suspends the coroutine while there is nothing."""
    return call(self, Socket.recvmsg_into, (kept(buffers), *arguments), POLLIN)


def sendto(self, *arguments):
    """As socket.sendto. Suspends the coroutine while there is no room, and for a host's name."""
    return call(self, Socket.sendto, arguments, POLLOUT)


def sendmsg(self, buffers, /, *arguments):
    """As socket.sendmsg. Suspends the coroutine while there is no room."""
    return call(self, Socket.sendmsg, (kept(buffers), *arguments), POLLOUT)


@cython.cfunc
def kept(buffers):
    """What can be gone through again: a call may be tried more than once."""
    return list(buffers) if hasattr(buffers, "__next__") else buffers


def _accept(self):
    """What socket.accept is made of. Suspends the coroutine while nobody connects."""
    return call(self, Socket._accept, (), POLLIN)


@cython.cfunc
def call(socket, method, arguments: tuple, direction: cython.int):
    watched: Watched = watched_here(socket)
    if watched is None:
        return native(method, socket, arguments, direction)
    deadline: cython.double = deadline_of(gettimeout(socket))
    while True:
        try:
            return method(watched.twin, *arguments)
        except BlockingIOError:
            pass
        wait_for(watched, direction, deadline)


def connect(self, address, /):
    """As socket.connect. Suspends the coroutine until it is connected."""
    status: cython.int
    watched: Watched = watched_here(self)
    if watched is None:
        return Socket.connect(self, address)
    status = connect_now(self, watched, address)
    if status:
        raise failure(-status) if status > 0 else TimeoutError("timed out")
    return None


def connect_ex(self, address, /):
    """As socket.connect_ex. Suspends the coroutine until it is connected, or is not."""
    watched: Watched = watched_here(self)
    if watched is None:
        return Socket.connect_ex(self, address)
    status: cython.int = connect_now(self, watched, address)
    return errno.EAGAIN if status < 0 else status


@cython.cfunc
@cython.exceptval(-2, check=True)
def connect_now(socket, watched: Watched, address) -> cython.int:
    """0, an errno, or -1 if the time of the socket is over."""
    deadline: cython.double = deadline_of(gettimeout(socket))
    status: cython.int
    while True:
        status = Socket.connect_ex(watched.twin, address)
        if status == errno.EAGAIN and socket.family == AF_UNIX:
            if not nap(deadline):
                return -1
        elif status in (errno.EINPROGRESS, errno.EINTR):
            break
        else:
            return status
    if not fires_before(watched.descriptor.writable(), deadline):
        return -1
    if watched.descriptor.closed:
        return errno.EBADF
    return watched.twin.getsockopt(SOL_SOCKET, SO_ERROR)


@cython.cfunc
@cython.exceptval(-1, check=False)
def nap(deadline: cython.double) -> cython.bint:
    """Wait a little; False if the deadline has come."""
    reactor = scheduler_here().reactor
    if deadline >= 0 and reactor.now() >= deadline:
        return False
    scheduler_here().wait(reactor.timer(UNIX_RETRY_DELAY))
    return True


# -- the end, and what decides how calls wait -------------------------------------------------


def settimeout(self, value, /):
    """As socket.settimeout. Never suspends."""
    Socket.settimeout(self, value)
    stay_nonblocking(self)


def setblocking(self, flag, /):
    """As socket.setblocking. Never suspends."""
    Socket.setblocking(self, flag)
    stay_nonblocking(self)


@cython.cfunc
def stay_nonblocking(socket):
    # The mode belongs to the descriptor, which the twin shares.
    watched: Watched = find(socket)
    if watched is not None:
        os.set_blocking(socket.fileno(), False)


def _real_close(self, _ss=Socket):
    """What socket.close is made of: who waits for it in a coroutine is woken. Never suspends."""
    forget(self)
    _ss.close(self)


def detach(self):
    """As socket.detach; who waits for it in a coroutine is woken. Never suspends."""
    forget(self)
    return original_detach(self)


# -- waiting ----------------------------------------------------------------------------------


@cython.cfunc
def watched_here(socket) -> Watched:
    """What a coroutine needs to wait for it; None where the original has to run."""
    if coroutine_here() is None or gettimeout(socket) == 0.0:
        return None
    return watch(socket)


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for(watched: Watched, direction: cython.int, deadline: cython.double) -> cython.int:
    descriptor = watched.descriptor
    event: Event = descriptor.readable() if direction == POLLIN else descriptor.writable()
    if not fires_before(event, deadline):
        raise TimeoutError("timed out")
    if watched.descriptor.closed:
        raise failure(CLOSED)
    return 0


def wait_until_ready(socket, reads: bool, seconds: float | None) -> bool:
    """Wait until it can be read, or written; False after `seconds`. Suspends the coroutine."""
    watched: Watched = watch(socket)
    if watched is None:
        raise failure(CLOSED)
    try:
        wait_for(watched, POLLIN if reads else POLLOUT, deadline_of(seconds))
    except TimeoutError:
        return False
    return True


@cython.cfunc
@cython.exceptval(-2.0, check=True)
def seconds(timeout) -> cython.double:
    """-1 for none, as io/transfer.py wants it."""
    return -1.0 if timeout is None else timeout


@cython.cfunc
@cython.exceptval(-2.0, check=True)
def deadline_of(timeout) -> cython.double:
    return -1.0 if timeout is None else scheduler_here().reactor.now() + timeout


@cython.cfunc
def failure(status: cython.Py_ssize_t):
    if status == TIMED_OUT:
        return TimeoutError("timed out")
    number: cython.Py_ssize_t = errno.EBADF if status == CLOSED else -status
    return OSError(number, os.strerror(number))


@cython.cfunc
def native(method, socket, arguments: tuple, direction: cython.int):
    """The original; where coroutines have made the descriptor non-blocking, it still blocks."""
    while True:
        try:
            return method(socket, *arguments)
        except BlockingIOError:
            if coroutine_here() is not None or gettimeout(socket) is not None:
                raise
            if find(socket) is None:
                raise  # somebody else has done that
        poll = native_poll()
        poll.register(socket.fileno(), direction)
        poll.poll()


METHODS = (
    recv, recv_into, send, sendall, recvfrom, recvfrom_into, sendto, _accept, connect,
    connect_ex, settimeout, setblocking, _real_close, detach,
)  # fmt: skip
MESSAGES = (recvmsg, recvmsg_into, sendmsg)  # not everywhere
original_detach = None


def replacements():
    """What is put where in `socket`. Never suspends."""
    global original_detach
    import socket

    original_detach = vars(socket.socket)["detach"]
    methods = [*METHODS, *(each for each in MESSAGES if hasattr(Socket, each.__name__))]
    return [(socket.socket, method.__name__, method) for method in methods]


def taken_back():
    """After all was taken back: a socket would be closed without our being told."""
    forget_all()

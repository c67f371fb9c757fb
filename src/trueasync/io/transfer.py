"""Transfer: bytes from and to a descriptor; tried at once, and waited for only where it must.

What reads and writes sockets and pipes, for streams and for the patched `socket` alike.
An answer below 0 is -errno, TIMED_OUT or CLOSED; only the waiting itself raises.

Rules of this file:
1. The GIL is kept: nothing here blocks, and where another thread computes it would take up
   to 5 ms to get it back, each time.
2. No Python code runs between a read and the return: callers may share the memory it is in.
"""

import cython
from cython.cimports.libc.errno import EAGAIN, EINTR, errno
from cython.cimports.trueasync._c.python import PyErr_CheckSignals
from cython.cimports.trueasync._c.socket import (
    MSG_DONTWAIT,
    MSG_NOSIGNAL,
    MSG_PEEK,
    read,
    recv,
    write,
)
from cython.cimports.trueasync._c.socket import send as send_now
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.reactor.base import READABLE, Descriptor, Readiness
from cython.cimports.trueasync.scheduler.current import require_scheduler, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

# In the place of flags, for what is no socket: read() and write(), not recv() and send().
NO_SOCKET = cython.declare(cython.int, -1)
TIMED_OUT = cython.declare(cython.Py_ssize_t, -100_000)
CLOSED = cython.declare(cython.Py_ssize_t, -100_001)
# Requests in a row that need not wait, until the other coroutines get a chance.
REQUESTS_PER_PAUSE = cython.declare(cython.int, 16)


@cython.cfunc
@cython.exceptval(-1, check=True)
def receive(
    descriptor: Descriptor,
    target: cython.p_char,
    size: cython.Py_ssize_t,
    flags: cython.int,
    timeout: cython.double,
) -> cython.Py_ssize_t:
    """Read at least one byte and at most `size`; 0 at the end. A timeout below 0 is none."""
    got: cython.Py_ssize_t
    if not descriptor.drained:
        give_way()
        if descriptor.closed:
            return CLOSED
        got = try_receive(descriptor, target, size, flags)
        if got != -EAGAIN:
            return got
    event: Readiness = descriptor.readable()
    if timeout >= 0:
        return receive_within(event, descriptor, target, size, flags, timeout)
    while True:
        require_scheduler("read").wait(event)
        if descriptor.closed or event.error is not None:
            return refuse(descriptor, event)
        got = try_receive(descriptor, target, size, flags)
        if got != -EAGAIN:
            return got
        event.again()


@cython.cfunc
@cython.exceptval(-1, check=True)
def receive_within(
    event: Readiness,
    descriptor: Descriptor,
    target: cython.p_char,
    size: cython.Py_ssize_t,
    flags: cython.int,
    timeout: cython.double,
) -> cython.Py_ssize_t:
    scheduler: Scheduler = require_scheduler("read")
    deadline: cython.double = scheduler.reactor.now() + timeout
    while True:
        if not fires_before(event, deadline):
            return TIMED_OUT
        if descriptor.closed or event.error is not None:
            return refuse(descriptor, event)
        got: cython.Py_ssize_t = try_receive(descriptor, target, size, flags)
        if got != -EAGAIN:
            return got
        event.again()


@cython.cfunc
@cython.exceptval(-1, check=True)
def send(
    descriptor: Descriptor,
    source: cython.p_const_char,
    size: cython.Py_ssize_t,
    flags: cython.int,
    timeout: cython.double,
) -> cython.Py_ssize_t:
    """Write at least one byte and at most `size`; how many. A timeout below 0 is none."""
    give_way()
    if descriptor.closed:
        return CLOSED
    put: cython.Py_ssize_t = try_send(descriptor, source, size, flags)
    if put != -EAGAIN:
        return put
    event: Readiness = descriptor.writable()
    deadline: cython.double = deadline_after(timeout)
    while put == -EAGAIN:
        if not fires_before(event, deadline):
            return TIMED_OUT
        if descriptor.closed or event.error is not None:
            return refuse(descriptor, event)
        put = try_send(descriptor, source, size, flags)
        event.again()
    return put


@cython.cfunc
@cython.exceptval(-1, check=True)
def send_all(
    descriptor: Descriptor,
    source: cython.p_const_char,
    size: cython.Py_ssize_t,
    flags: cython.int,
    timeout: cython.double,
) -> cython.Py_ssize_t:
    """Write `size` bytes, and return that; after an error some of them may have been written."""
    give_way()
    if descriptor.closed:
        return CLOSED
    put: cython.Py_ssize_t = try_send(descriptor, source, size, flags)
    if put == size or (put < 0 and put != -EAGAIN):
        return put
    done: cython.Py_ssize_t = max(0, put)
    event: Readiness = descriptor.writable()
    deadline: cython.double = deadline_after(timeout)
    while done < size:
        # No use to try before: it has just taken less than there was.
        if not fires_before(event, deadline):
            return TIMED_OUT
        if descriptor.closed or event.error is not None:
            return refuse(descriptor, event)
        put = try_send(descriptor, source + done, size - done, flags)
        if put >= 0:
            done += put
        elif put != -EAGAIN:
            return put
        event.again()
    return size


# -- one try ----------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(-1, check=True)
def try_receive(
    descriptor: Descriptor, target: cython.p_char, size: cython.Py_ssize_t, flags: cython.int
) -> cython.Py_ssize_t:
    """Read what there is, if anything; else -EAGAIN."""
    got: cython.Py_ssize_t
    while True:
        if flags == NO_SOCKET:
            got = read(descriptor.fd, target, size)
        else:
            got = recv(descriptor.fd, target, size, flags | MSG_DONTWAIT)
        if got >= 0 or errno != EINTR:
            break
        PyErr_CheckSignals()
    if got < 0:
        got = -errno
    # Less than there was room for: all there was. The end and errors stay for who tries again.
    descriptor.drained = (0 < got < size and not looks_only(flags)) or got == -EAGAIN
    if descriptor.drained:
        descriptor.ready &= ~READABLE
    return got


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def looks_only(flags: cython.int) -> cython.bint:
    return flags != NO_SOCKET and (flags & MSG_PEEK) != 0


@cython.cfunc
@cython.exceptval(-1, check=True)
def try_send(
    descriptor: Descriptor, source: cython.p_const_char, size: cython.Py_ssize_t, flags: cython.int
) -> cython.Py_ssize_t:
    """Write what the system takes; -EAGAIN if that is nothing."""
    put: cython.Py_ssize_t
    while True:
        if flags == NO_SOCKET:
            put = write(descriptor.fd, source, size)
        else:
            put = send_now(descriptor.fd, source, size, flags | MSG_DONTWAIT | MSG_NOSIGNAL)
        if put >= 0 or errno != EINTR:
            break
        PyErr_CheckSignals()
    return put if put >= 0 else -errno


# -- waiting ----------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
@cython.exceptval(-1, check=False)
def give_way() -> cython.int:
    """Let others run now and then: who never has to wait would keep the thread, and could not
    be cancelled. Before a request, so that a cancellation loses nothing."""
    scheduler: Scheduler = scheduler_here()
    if scheduler is not None and scheduler.current is not None:
        scheduler.requests += 1
        if scheduler.requests >= REQUESTS_PER_PAUSE:
            scheduler.requests = 0
            scheduler.pause()
    return 0


@cython.cfunc
@cython.exceptval(-2.0, check=True)
def deadline_after(timeout: cython.double) -> cython.double:
    """On the clock of the reactor; -1 for none."""
    if timeout < 0:
        return -1.0
    return require_scheduler("wait").reactor.now() + timeout


@cython.cfunc
@cython.exceptval(-1, check=False)
def fires_before(event: Event, deadline: cython.double) -> cython.bint:
    """Wait for `event`; False if the deadline comes first."""
    scheduler: Scheduler = require_scheduler("wait")
    if deadline < 0:
        scheduler.wait(event)
        return True
    timer: Event = scheduler.reactor.timer(max(0.0, deadline - scheduler.reactor.now()))
    return scheduler.wait(event, timer) is event


@cython.cfunc
@cython.exceptval(-1, check=True)
def refuse(descriptor: Descriptor, event: Event) -> cython.Py_ssize_t:
    """Who was woken by a close must not touch the number: it may name another file by now."""
    if not descriptor.closed:
        event.outcome()
    return CLOSED

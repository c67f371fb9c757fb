"""Watched: a standard socket that coroutines have waited for, and what they need for that.

A socket of the standard library says how long a call may take by its timeout, which it keeps
to itself: with one, its own calls wait, and the whole thread with them. So each has a *twin*,
another object over the same descriptor whose timeout is 0: its calls never wait.
"""

import os
import weakref
from _socket import socket as Socket

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.weakref import PyWeakref_GetObject
from cython.cimports.trueasync.reactor.base import Descriptor, Reactor
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

fileno = Socket.fileno
# By descriptor. A number may come to name another socket: each entry knows whose it is.
table = cython.declare(dict, {})


@cython.final
@cython.no_gc  # what it is in a cycle with, it lets go of when it is closed
@cython.cclass
class Watched:
    """What stands beside a socket while it is watched. Not for other threads."""

    def __dealloc__(self):
        if self.twin is not None:
            self.twin.detach()  # the descriptor is not its to close

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close(self) -> cython.int:
        """Wake who waits for it, and let go of the descriptor; the socket still has it."""
        self.socket = None
        self.twin.detach()
        scheduler: Scheduler = scheduler_here()
        if scheduler is not None and scheduler.reactor is self.reactor:
            self.descriptor.close(None)
        else:
            self.reactor.post(LateClose(self.descriptor))
        return 0


class LateClose:
    """Closes what is watched in another thread, there."""

    def __init__(self, descriptor: Descriptor):
        self.descriptor = descriptor

    def __call__(self):
        self.descriptor.close(None)


@cython.cfunc
def watch(socket) -> Watched:
    """What stands beside `socket` in the run that goes on here; None if it is closed."""
    fd = fileno(socket)
    watched: Watched = table.get(fd)
    reactor: Reactor = scheduler_here().reactor
    if watched is not None:
        if is_of(watched, socket) and watched.reactor is reactor and not watched.descriptor.closed:
            return watched
        # Of another socket that had the number, an earlier run, or another thread's.
        del table[fd]
        watched.close()
    if fd < 0:
        return None
    watched = table[fd] = new_watched(socket, fd, reactor)
    return watched


@cython.ccall
def find(socket) -> Watched:
    """What stands beside `socket`, or None. Never suspends."""
    watched: Watched = table.get(fileno(socket))
    return watched if watched is not None and is_of(watched, socket) else None


@cython.cfunc
@cython.inline
@cython.exceptval(-1, check=False)
def is_of(watched: Watched, socket) -> cython.bint:
    found: cython.pointer(PyObject) = PyWeakref_GetObject(watched.socket)
    return found == cython.cast(cython.pointer(PyObject), socket)


@cython.ccall
@cython.exceptval(-1, check=False)
def forget(socket) -> cython.bint:
    """To be called before `socket` gives up its descriptor; whether it was watched.

    Never suspends.
    """
    watched: Watched = find(socket)
    if watched is None:
        return False
    del table[fileno(socket)]
    watched.close()
    return True


@cython.cfunc
def new_watched(socket, fd: cython.int, reactor: Reactor) -> Watched:
    watched: Watched = Watched.__new__(Watched)
    watched.reactor = reactor
    watched.descriptor = reactor.descriptor(fd)
    watched.twin = Socket(socket.family, socket.type, socket.proto, fd)
    watched.twin.settimeout(0)
    watched.socket = weakref.ref(socket, Forgotten(fd, watched))
    return watched


class Forgotten:
    """A socket that nobody closed has gone, and its descriptor with it."""

    def __init__(self, fd: int, watched: Watched):
        self.fd = fd
        self.watched = watched

    def __call__(self, reference):
        watched: Watched = self.watched
        if table.get(self.fd) is watched:
            del table[self.fd]
            watched.close()


@cython.ccall
def forget_all():
    """Watch nothing any more: who waits for a socket is woken. Never suspends."""
    watched: Watched
    while table:
        watched = table.popitem()[1]
        watched.close()


def forget_after_fork():
    """In the child nothing is watched: that belongs to the loop of the parent."""
    watched: Watched
    while table:
        watched = table.popitem()[1]
        watched.socket = None


os.register_at_fork(after_in_child=forget_after_fork)

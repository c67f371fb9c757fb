"""Poll: fires when a file descriptor can be read or written, and who watches descriptors.

libuv has one handle per descriptor, and each start and stop of it is a system call. So it is
kept armed between waits: a request-response connection is armed once in its life. Readiness
that nobody waited for is remembered; where that happens again, nobody may be interested, and
it is disarmed until somebody waits.
"""

import errno

import cython
from cython.cimports.libc.errno import errno as c_errno
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.posix.stat import fstat, struct_stat
from cython.cimports.trueasync._c.uv import (
    uv_close,
    uv_handle_t,
    uv_poll_init,
    uv_poll_start,
    uv_poll_stop,
)
from cython.cimports.trueasync.reactor.base import (
    READABLE,
    WRITABLE,
    Descriptor,
    ReactorEvent,
    Readiness,
)
from cython.cimports.trueasync.reactor.note import Note, note_down
from cython.cimports.trueasync.reactor.reactor import UvReactor

from .failure import error_of


@cython.final
@cython.cclass
class Poll(Readiness):
    """One wait for one direction of a descriptor; made by `Descriptor.readable` and `writable`."""

    @cython.ccall
    def arm(self):
        ReactorEvent.arm(self)
        try:
            self.watched.await_turn(self)
        except BaseException:
            self.disarm()
            raise

    @cython.ccall
    def disarm(self):
        ReactorEvent.disarm(self)
        line: Line = line_of(self)
        line.leave(self)

    @cython.ccall
    def again(self):
        Readiness.again(self)
        self.ahead = True

    @cython.ccall
    def info(self) -> str:
        what = "readable" if self.direction == READABLE else "writable"
        return f"descriptor {self.watched.fd} to be {what}"


@cython.cfunc
@cython.inline
def line_of(poll: Poll) -> Line:
    watched: UvDescriptor = poll.watched
    return watched.readers if poll.direction == READABLE else watched.writers


@cython.final
@cython.cclass
class Line:
    """Those who wait for the same thing, linked through themselves: leaving costs no search."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def join(self, poll: Poll) -> cython.int:
        if self.first is None:
            self.first = self.last = poll
        elif poll.ahead:
            poll.following = self.first
            self.first.previous = poll
            self.first = poll
        else:
            poll.previous = self.last
            self.last.following = poll
            self.last = poll
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave(self, poll: Poll) -> cython.int:
        before: Poll = poll.previous
        after: Poll = poll.following
        poll.previous = poll.following = None
        if before is not None:
            before.following = after
        elif self.first is poll:
            self.first = after
        if after is not None:
            after.previous = before
        elif self.last is poll:
            self.last = before
        return 0


@cython.final
@cython.cclass
class UvDescriptor(Descriptor):
    """One descriptor, its libuv handle, and those who wait for it."""

    def __dealloc__(self):
        if self.watch != cython.NULL and self.watch.note.owner != cython.NULL:
            self.watch.note.owner = cython.NULL  # a loop that was never closed keeps the rest

    @cython.ccall
    def readable(self) -> Readiness:
        return new_poll(self, READABLE)

    @cython.ccall
    def writable(self) -> Readiness:
        return new_poll(self, WRITABLE)

    @cython.ccall
    def close(self, reason):
        if self.closed:
            return
        self.closed = True
        self.reactor.descriptors.forget(self)
        self.watch.note.owner = cython.NULL
        if self.armed:
            self.armed = 0
            self.reactor.watching -= 1
        uv_close(cython.cast(cython.pointer(uv_handle_t), self.watch), on_watch_closed)
        self.watch = cython.NULL
        self.fire_all(reason or OSError(errno.EBADF, f"descriptor {self.fd} was closed"))

    # -- waiting ------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def await_turn(self, poll: Poll) -> cython.int:
        """Fire `poll` now, if the descriptor is known to be ready, else when its turn comes."""
        if self.closed:
            raise OSError(errno.EBADF, f"cannot wait for descriptor {self.fd}: it was closed")
        line: Line = line_of(poll)
        line.join(poll)
        if self.ready & poll.direction and line.first is poll:
            self.ready &= ~poll.direction
            poll.fire_with(None, None)
        elif not self.armed & poll.direction:
            self.watch_for(self.armed | poll.direction)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def watch_for(self, wanted: cython.int) -> cython.int:
        """Have libuv look for this; each time that changes is a system call or two."""
        status: cython.int = 0
        if wanted:
            status = uv_poll_start(cython.address(self.watch.handle), wanted, on_ready)
        else:
            uv_poll_stop(cython.address(self.watch.handle))
        if status < 0:
            raise error_of(status, f"cannot wait for descriptor {self.fd}")
        if wanted and not self.armed:
            self.reactor.watching += 1
        elif self.armed and not wanted:
            self.reactor.watching -= 1
        if wanted:
            self.reactor.descriptors.fresh.append(self)
        self.armed = wanted
        return 0

    # -- reporting ----------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def report(self, status: cython.int, events: cython.int) -> cython.int:
        """What libuv saw. An error is for all: each finds out by trying what it is."""
        if status < 0:
            # libuv has stopped the handle: the next wait arms it again.
            uv_poll_stop(cython.address(self.watch.handle))
            if self.armed:
                self.armed = 0
                self.reactor.watching -= 1
            return self.fire_all(None)
        if events & READABLE:
            self.report_one(self.readers, READABLE)
        if events & WRITABLE and not self.closed:
            self.report_one(self.writers, WRITABLE)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def report_one(self, line: Line, direction: cython.int) -> cython.int:
        # Held here: firing takes it off the line, which may hold the only reference.
        first: Poll = line.first
        if first is not None:
            first.fire_with(None, None)
        elif self.ready & direction or direction == WRITABLE:
            # Seen before, and still nobody came; and a writer that has gone is done.
            self.ready |= direction
            self.watch_for(self.armed & ~direction)
        else:
            self.ready |= direction
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fire_all(self, error) -> cython.int:
        failure = None
        line: Line
        for line in (self.readers, self.writers):
            while line.first is not None:
                first: Poll = line.first
                try:
                    first.fire_with(None, error)
                except BaseException as raised:
                    failure = failure or raised  # the others are woken all the same
        if failure is not None:
            raise failure
        return 0


@cython.cfunc
def new_poll(descriptor: UvDescriptor, direction: cython.int) -> Poll:
    poll: Poll = Poll.__new__(Poll)
    poll.reactor = descriptor.reactor
    poll.watched = descriptor
    poll.direction = direction
    return poll


@cython.cfunc
def new_descriptor(reactor: UvReactor, fd: cython.int) -> UvDescriptor:
    descriptor: UvDescriptor = UvDescriptor.__new__(UvDescriptor)
    found: struct_stat
    if fstat(fd, cython.address(found)) != 0:
        raise error_of(-c_errno, f"descriptor {fd} cannot be waited for")
    descriptor.device = found.st_dev
    descriptor.inode = found.st_ino
    watch: cython.pointer(Watch) = cython.cast(
        cython.pointer(Watch), calloc(1, cython.sizeof(Watch))
    )
    if watch == cython.NULL:
        raise MemoryError(f"no memory to watch descriptor {fd}")
    status: cython.int = uv_poll_init(
        cython.address(reactor.loop), cython.address(watch.handle), fd
    )
    if status < 0:
        free(watch)
        raise error_of(status, f"descriptor {fd} cannot be waited for")
    watch.handle.data = cython.address(watch.note)
    watch.note.queue = cython.address(reactor.notes)
    watch.note.tell = tell_descriptor
    watch.note.owner = cython.cast(cython.p_void, descriptor)
    descriptor.watch = watch
    descriptor.reactor = reactor
    descriptor.fd = fd
    descriptor.readers = Line()
    descriptor.writers = Line()
    return descriptor


@cython.cfunc
@cython.exceptval(check=False)
def names_the_same(descriptor: UvDescriptor) -> cython.bint:
    """Whether the number still names the file that it named when it was first watched."""
    found: struct_stat
    if fstat(descriptor.fd, cython.address(found)) != 0:
        return False
    return found.st_dev == descriptor.device and found.st_ino == descriptor.inode


def tell_descriptor(owner, status, events):
    descriptor: UvDescriptor = cython.cast(UvDescriptor, owner)
    return descriptor.report(status, events)


def on_ready(handle, status, events):
    note_down(cython.cast(cython.pointer(Note), handle.data), status, events)


def on_watch_closed(handle):
    free(handle)

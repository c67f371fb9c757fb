"""Jobs: system calls on files that may wait for a disk, each with what it works on.

Rules of this file:
1. A `perform_` function runs in a thread of the pool, without the GIL: it sees only its Call.
2. What a Call points into belongs to its job, which lives until the call has ended.
3. `try_now` does what the kernel can do from its caches, and never waits for a disk.
"""

import os

import cython
from cython.cimports.cpython.buffer import PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cython.cimports.cpython.bytes import (
    PyBytes_AS_STRING,
    PyBytes_FromStringAndSize,
    _PyBytes_Resize,
)
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.libc.errno import EISDIR
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.posix.fcntl import (
    O_ACCMODE,
    O_CLOEXEC,
    O_CREAT,
    O_NOCTTY,
    O_NONBLOCK,
    O_RDONLY,
    O_TRUNC,
)
from cython.cimports.posix.fcntl import open as c_open
from cython.cimports.posix.stat import S_ISDIR, fstat, struct_stat
from cython.cimports.posix.unistd import close, fdatasync, fsync, ftruncate
from cython.cimports.trueasync._c.files import (
    trueasync_open_cached,
    trueasync_read_at,
    trueasync_read_cached,
    trueasync_result,
    trueasync_send_file,
    trueasync_write_at,
)
from cython.cimports.trueasync.io.transfer import give_way
from cython.cimports.trueasync.reactor.base import Job
from cython.cimports.trueasync.scheduler.current import require_scheduler
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

MOST_PIECES = cython.declare(cython.int, 1024)  # IOV_MAX


@cython.cclass
class FileJob(Job):
    """One system call on a file. Not for other threads."""

    def __cinit__(self):
        self.data = cython.address(self.call)
        self.call.fd = -1

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def try_now(self) -> cython.bint:
        """Do it at once, if that takes no waiting for a disk; whether it is done.

        Never suspends.
        """
        return False

    @cython.ccall
    def outcome(self):
        """What the call returned, once it is done, or raises its error. Never suspends."""
        if self.call.result < 0:
            raise self.error()
        return self.call.result

    @cython.ccall
    def ended(self):
        if self.owner is not None:
            self.owner.landed(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forget(self) -> cython.int:
        """If it has not begun, it shall not be done."""
        self.perform = perform_nothing
        return 0

    def info(self) -> str:
        return f"a thread to {self.verb} {os.fsdecode(self.path)!r}"

    @cython.cfunc
    def error(self):
        number: cython.int = -self.call.result
        return OSError(number, os.strerror(number), self.path)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def set_path(self, path) -> cython.int:
        self.encoded = os.fsencode(path)
        if b"\0" in self.encoded:
            raise ValueError(f"a path cannot have a null byte in it: {path!r}")
        self.path = path
        self.call.path = PyBytes_AS_STRING(self.encoded)
        return 0


def do(job: FileJob) -> None:
    """Do it, at once or by a thread; its `outcome` says how that went.

    Suspends the coroutine, unless it is done at once. Not for other threads.
    """
    scheduler: Scheduler = require_scheduler("use a file")
    give_way()
    if not job.try_now():
        scheduler.wait(scheduler.reactor.work(job))


@cython.cfunc
def file_job(perform: Perform, verb: str, path, fd: cython.int) -> FileJob:
    job: FileJob = FileJob.__new__(FileJob)
    job.perform = perform
    job.verb = verb
    job.path = path
    job.call.fd = fd
    return job


def close_job(path, fd: cython.int) -> FileJob:
    """Close `fd`. Never suspends."""
    return file_job(perform_close, "close", path, fd)


def sync_job(path, fd: cython.int, data_only: cython.bint) -> FileJob:
    """Bring what was written to the disk, and what is known about the file. Never suspends."""
    return file_job(perform_data_sync if data_only else perform_sync, "flush", path, fd)


def truncate_job(path, fd: cython.int, size: cython.longlong) -> FileJob:
    """Make the file as long as `size`. Never suspends."""
    job: FileJob = file_job(perform_truncate, "truncate", path, fd)
    job.call.offset = size
    return job


def send_job(
    path, fd: cython.int, to: cython.int, offset: cython.longlong, size: cython.size_t
) -> FileJob:
    """Send a part of the file to a socket, and say how much it has taken. Never suspends."""
    job: FileJob = file_job(perform_send, "send", path, fd)
    job.call.other = to
    job.call.offset = offset
    job.call.size = size
    return job


@cython.cclass
class OpenJob(FileJob):
    """Open a file, and look at what it is. It closes it again if nobody takes it."""

    def __init__(self, path, flags: cython.int, mode: cython.int):
        self.verb = "open"
        self.perform = perform_open
        self.set_path(path)
        # Without O_NONBLOCK, to open a pipe would keep a thread until somebody opens its other
        # end. For a file it means nothing.
        self.call.flags = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        self.call.mode = mode

    def __dealloc__(self):
        if self.call.fd >= 0:
            close(self.call.fd)

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def try_now(self) -> cython.bint:
        call: cython.pointer(Call) = cython.address(self.call)
        if call.flags & O_ACCMODE != O_RDONLY or call.flags & (O_CREAT | O_TRUNC):
            return False
        call.fd = trueasync_open_cached(call.path, call.flags)
        if call.fd < 0:
            return False
        look_at(call)
        return True

    def take(self) -> int:
        """The descriptor, once; it is the caller's to close from now on. Never suspends."""
        self.outcome()
        fd: cython.int = self.call.fd
        if fd < 0:
            raise RuntimeError(f"{self.path!r} is not open, or was taken already")
        self.call.fd = -1
        return fd

    @property
    def kind(self) -> int:
        """What was opened, as `st_mode` says it."""
        return self.call.kind

    @property
    def length(self) -> int:
        """How long the file was when it was opened."""
        return self.call.length


@cython.final
@cython.cclass
class ReadJob(FileJob):
    """Read `size` bytes at `offset`; fewer only at the end of the file, or from `try_now`."""

    def __init__(self, path, fd: cython.int, size: cython.size_t, offset: cython.longlong):
        self.verb = "read"
        self.path = path
        self.perform = perform_read
        self.read = PyBytes_FromStringAndSize(cython.NULL, size)
        self.call.memory = PyBytes_AS_STRING(self.read)
        self.call.fd = fd
        self.call.size = size
        self.call.offset = offset

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def try_now(self) -> cython.bint:
        call: cython.pointer(Call) = cython.address(self.call)
        if call.size > MOST_AT_ONCE:
            return False
        call.result = trueasync_read_cached(call.fd, call.memory, call.size, call.offset)
        return call.result >= 0

    @cython.ccall
    def outcome(self):
        if self.call.result < 0:
            raise self.error()
        if cython.cast(cython.size_t, self.call.result) < self.call.size:
            self.shrink()
        return self.read

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def shrink(self) -> cython.int:
        """Give back the memory that was not filled, in place: nobody has seen it yet."""
        memory: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), self.read)
        Py_INCREF(self.read)  # OWNERSHIP: held by `memory`, alone, from the next line on
        self.read = None
        _PyBytes_Resize(cython.address(memory), self.call.result)
        self.read = cython.cast(bytes, memory)
        Py_DECREF(self.read)  # OWNERSHIP: `read` holds it again
        self.call.size = self.call.result
        return 0


@cython.cclass
class WriteJob(FileJob):
    """Write pieces one after the other, at `offset` or, if that is -1, where the file stands.

    The result is how much was written, which may be less. The pieces stay locked until then.
    """

    def __init__(self, path, fd: cython.int, pieces, offset: cython.longlong):
        self.verb = "write"
        self.path = path
        self.perform = perform_write
        self.call.fd = fd
        self.call.offset = offset
        count: cython.int = min(len(pieces), MOST_PIECES)
        self.views = cython.cast(
            cython.pointer(Py_buffer), calloc(count + 1, cython.sizeof(Py_buffer))
        )
        self.call.pieces = cython.cast(
            cython.pointer(iovec), calloc(count + 1, cython.sizeof(iovec))
        )
        if self.views == cython.NULL or self.call.pieces == cython.NULL:
            raise MemoryError(f"no memory to write {count} pieces")
        for index in range(count):
            PyObject_GetBuffer(pieces[index], cython.address(self.views[index]), PyBUF_SIMPLE)
            self.viewed += 1
            self.call.pieces[index].iov_base = self.views[index].buf
            self.call.pieces[index].iov_len = self.views[index].len
        self.call.count = count

    def __dealloc__(self):
        release(self)
        free(self.views)
        free(self.call.pieces)

    @cython.ccall
    def ended(self):
        release(self)
        FileJob.ended(self)


@cython.cfunc
@cython.exceptval(-1, check=False)
def release(job: WriteJob) -> cython.int:
    """Unlock the pieces; no method, because a destructor must not call what is overridden."""
    while job.viewed:
        job.viewed -= 1
        PyBuffer_Release(cython.address(job.views[job.viewed]))
    return 0


# -- in a thread of the pool -------------------------------------------------------------


def look_at(call):
    """What was opened is a file or so, not a folder."""
    found: struct_stat
    call.result = trueasync_result(fstat(call.fd, cython.address(found)))
    if call.result == 0 and S_ISDIR(found.st_mode):
        call.result = -EISDIR
    if call.result < 0:
        close(call.fd)
        call.fd = -1
        return
    call.kind = found.st_mode
    call.length = found.st_size


def perform_nothing(data):
    pass


def perform_open(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_result(c_open(call.path, call.flags, call.mode))
    if call.result >= 0:
        call.fd = call.result
        look_at(call)


def perform_close(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_result(close(call.fd))


def perform_sync(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_result(fsync(call.fd))


def perform_data_sync(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_result(fdatasync(call.fd))


def perform_truncate(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_result(ftruncate(call.fd, call.offset))


def perform_send(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_send_file(call.other, call.fd, call.offset, call.size)


def perform_read(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_read_at(call.fd, call.memory, call.size, call.offset)


def perform_write(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    call.result = trueasync_write_at(call.fd, call.pieces, call.count, call.offset)

"""Jobs for whole files: one trip to the pool opens, reads or writes, and closes.

What is no regular file, or is long, is only opened: the caller goes on with it.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.errno import EINTR, ENOMEM, errno
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.posix.fcntl import O_CLOEXEC, O_NOCTTY, O_NONBLOCK
from cython.cimports.posix.stat import S_ISREG
from cython.cimports.posix.unistd import close, write
from cython.cimports.trueasync._c.files import (
    trueasync_load_cached,
    trueasync_read_at,
    trueasync_result,
)
from cython.cimports.trueasync.io.jobs import (
    MOST_AT_ONCE,
    Call,
    FileJob,
    OpenJob,
    WriteJob,
    perform_open,
)


@cython.final
@cython.cclass
class LoadJob(OpenJob):
    """All of a file; or, where the outcome is None, the file to `take`, just opened."""

    def __init__(self, path, flags: cython.int):
        OpenJob.__init__(self, path, flags, 0)
        self.perform = perform_load

    def __dealloc__(self):
        free(self.call.memory)

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def try_now(self) -> cython.bint:
        call: cython.pointer(Call) = cython.address(self.call)
        if not OpenJob.try_now(self) or call.result < 0:
            return call.result < 0
        if not S_ISREG(call.kind):
            return True
        if not 0 < call.length <= MOST_AT_ONCE:
            return False
        self.loaded = PyBytes_FromStringAndSize(cython.NULL, call.length)
        call.result = trueasync_load_cached(call.fd, PyBytes_AS_STRING(self.loaded), call.length)
        if call.result < 0:
            self.loaded = None
            return False
        close(call.fd)
        call.fd = -1
        return True

    @cython.ccall
    def outcome(self):
        if self.loaded is not None:
            return self.loaded
        result: cython.Py_ssize_t = FileJob.outcome(self)
        if self.call.fd >= 0:
            return None
        return PyBytes_FromStringAndSize(self.call.memory, result)


@cython.final
@cython.cclass
class StoreJob(WriteJob):
    """Make a file of one piece; or, where the outcome is None, `take` it, just opened."""

    def __init__(self, path, flags: cython.int, mode: cython.int, piece):
        WriteJob.__init__(self, path, -1, [piece], 0)
        self.set_path(path)
        self.perform = perform_store
        self.call.flags = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        self.call.mode = mode

    def __dealloc__(self):
        if self.call.fd >= 0:
            close(self.call.fd)

    @cython.ccall
    def outcome(self):
        result = WriteJob.outcome(self)
        return None if self.call.fd >= 0 else result

    def take(self) -> int:
        """The descriptor, once; it is the caller's to close from now on. Never suspends."""
        fd: cython.int = self.call.fd
        if fd < 0:
            raise RuntimeError(f"{self.path!r} is not open, or was taken already")
        self.call.fd = -1
        return fd


# -- in a thread of the pool -------------------------------------------------------------


def perform_load(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    if call.fd < 0:
        perform_open(data)
    else:
        call.result = 0  # opened by try_now, which found that it is not in the cache
    if call.result == 0 and S_ISREG(call.kind) and call.length <= MOST_IN_ONE_JOB:
        end(call, load(call))


def load(call):
    """Read to the end: what was said to be its length may be wrong, and for /proc always is."""
    got: cython.Py_ssize_t = 0
    more: cython.Py_ssize_t
    memory: cython.p_char
    size: cython.size_t = call.length + 1
    while True:
        memory = cython.cast(cython.p_char, realloc(call.memory, size))
        if memory == cython.NULL:
            return -ENOMEM
        call.memory = memory
        more = trueasync_read_at(call.fd, call.memory + got, size - got, got)
        if more < 0:
            return more
        got += more
        if cython.cast(cython.size_t, got) < size:
            return got
        size = size * 2 + 4096


def perform_store(data):
    call: cython.pointer(Call) = cython.cast(cython.pointer(Call), data)
    perform_open(data)
    if call.result == 0 and S_ISREG(call.kind):
        end(call, store(call))


def store(call):
    done: cython.size_t = 0
    more: cython.Py_ssize_t
    size: cython.size_t = call.pieces[0].iov_len
    while done < size:
        more = write(
            call.fd, cython.cast(cython.p_char, call.pieces[0].iov_base) + done, size - done
        )
        if more < 0 and errno != EINTR:
            return trueasync_result(more)
        if more > 0:
            done += more
    return done


def end(call, result):
    """Close it; an error of the call itself comes before one of closing."""
    closed: cython.Py_ssize_t = trueasync_result(close(call.fd))
    call.fd = -1
    call.result = result if result < 0 or closed == 0 else closed

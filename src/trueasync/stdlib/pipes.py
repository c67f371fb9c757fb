"""PipeFile: the pipe of a child as an ordinary file; inside a coroutine only that waits for it.

Its descriptor goes on to block, as everybody else expects: native threads may use the same
file. So a coroutine reads only what is there, and writes only what fits for sure.
"""

import io
import os
import select
from functools import partial
from types import ModuleType

import cython
from cython.cimports.trueasync._c.poll import trueasync_is_ready
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.reactor.base import Descriptor
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

# Held in C: each of these calls must cost next to nothing outside coroutines.
raw_close = cython.declare(object, io.FileIO.close)
raw_read = cython.declare(object, io.FileIO.read)
raw_readall = cython.declare(object, io.FileIO.readall)
raw_readinto = cython.declare(object, io.FileIO.readinto)
raw_write = cython.declare(object, io.FileIO.write)

READ_SIZE = 65536
# The words of io.open.
NO_LINES = (
    "line buffering (buffering=1) isn't supported in binary mode, "
    "the default buffer size will be used"
)
PIPE_BUF = select.PIPE_BUF  # what fits into a pipe that is ready to be written


class PipeFile(io.FileIO):
    """One end of a pipe. With `whole`, a write is over when everything is written."""

    whole = False
    descriptor = None  # where it is watched, and by whose reactor
    reactor = None

    def readinto(self, buffer, /):
        """As FileIO.readinto; inside a coroutine only that waits. Suspends the coroutine."""
        if coroutine_here() is not None:
            wait_to_read(self)
        return raw_readinto(self, buffer)

    def read(self, size=-1, /):
        """As FileIO.read; inside a coroutine only that waits. Suspends the coroutine."""
        if coroutine_here() is None:
            return raw_read(self, size)
        if size is None or size < 0:
            return self.readall()
        wait_to_read(self)
        return raw_read(self, size)

    def readall(self):
        """As FileIO.readall; inside a coroutine only that waits. Suspends the coroutine."""
        if coroutine_here() is None or not os.get_blocking(self.fileno()):
            return raw_readall(self)
        pieces = []
        piece = None
        while piece != b"":
            wait_to_read(self)
            piece = raw_read(self, READ_SIZE)
            pieces.append(piece)
        return b"".join(pieces)

    def write(self, data, /):
        """As FileIO.write; inside a coroutine only that waits. Suspends the coroutine."""
        if coroutine_here() is None or not os.get_blocking(self.fileno()):
            return raw_write(self, data)
        return write_in_pieces(self, memoryview(data).cast("B"))

    def close(self):
        """As FileIO.close; who waits for it here is woken with EBADF. Never suspends."""
        let_go(self)
        raw_close(self)


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_to_read(file) -> cython.int:
    fd: cython.int = file.fileno()
    if trueasync_is_ready(fd, False) or not file.readable() or not os.get_blocking(fd):
        return 0
    while not trueasync_is_ready(fd, False):
        descriptor: Descriptor = watch(file, fd)
        descriptor.forget_readable()  # it may have been read since
        wait_for(descriptor.readable())
        fd = file.fileno()
    return 0


@cython.cfunc
def write_in_pieces(file, data):
    fd: cython.int = file.fileno()
    written: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(data)
    while written < size:
        while not trueasync_is_ready(fd, True):
            descriptor: Descriptor = watch(file, fd)
            wait_for(descriptor.writable())
            fd = file.fileno()
        written += raw_write(file, data[written : written + PIPE_BUF])
        if not file.whole:
            break
    return written


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for(event: Event) -> cython.int:
    scheduler: Scheduler = scheduler_here()
    scheduler.wait(event).outcome()
    return 0


@cython.cfunc
def watch(file, fd: cython.int) -> Descriptor:
    """Have the reactor of this run watch it, and leave it as it is."""
    scheduler: Scheduler = scheduler_here()
    pipe = pipe_below(file)
    if pipe is None:
        blocking = os.get_blocking(fd)
        descriptor: Descriptor = scheduler.reactor.descriptor(fd)
        os.set_blocking(fd, blocking)  # libuv has changed that
        return descriptor
    descriptor = scheduler.reactor.descriptor(fd)
    if descriptor is not pipe.descriptor:
        os.set_blocking(fd, True)
        pipe.descriptor = descriptor
        pipe.reactor = scheduler.reactor
    return descriptor


@cython.cfunc
def pipe_below(file):
    """The PipeFile that `file` is or stands upon, or None."""
    file = getattr(file, "buffer", file)
    file = getattr(file, "raw", file)
    return file if isinstance(file, PipeFile) else None


@cython.cfunc
@cython.exceptval(-1, check=False)
def let_go(file) -> cython.int:
    descriptor: Descriptor = file.descriptor
    scheduler: Scheduler = scheduler_here()
    if descriptor is None:
        return 0
    if scheduler is not None and scheduler.reactor is file.reactor:
        descriptor.close(None)
    else:
        file.reactor.post(partial(file.descriptor.close, None))  # it must be touched there only
    file.descriptor = file.reactor = None
    return 0


class Io(ModuleType):
    """The module `io` as subprocess sees it: its pipes are PipeFiles."""

    def __init__(self):
        ModuleType.__init__(self, "io", io.__doc__)

    def __getattr__(self, name):
        return getattr(io, name)

    def open(self, file, mode="r", buffering=-1, *args, **kwargs):
        """As io.open. Never suspends."""
        if not isinstance(file, int) or mode not in ("rb", "wb") or args or kwargs:
            return io.open(file, mode, buffering, *args, **kwargs)
        raw = PipeFile(file, mode)
        if buffering == 0:
            raw.whole = True
            return raw
        try:
            return buffered(raw, mode, buffering)
        except BaseException:
            raw.close()
            raise


def buffered(raw, mode, size):
    if size == 1:
        import warnings

        warnings.warn(NO_LINES, RuntimeWarning, stacklevel=4)
    if size < 0 or size == 1:
        size = io.DEFAULT_BUFFER_SIZE
    return io.BufferedReader(raw, size) if mode == "rb" else io.BufferedWriter(raw, size)

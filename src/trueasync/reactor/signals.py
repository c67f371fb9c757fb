"""SignalWakeup: a signal ends the wait of the loop, so that Python's handler can run.

libuv goes on sleeping after EINTR. CPython writes a byte to its "wake-up descriptor" for
each signal; we let the loop watch the other end. Nothing polls, and only the main thread,
where CPython runs signal handlers, has one.
"""

import os
import signal

import cython
from cython.cimports.libc.stdint import intptr_t
from cython.cimports.posix.unistd import read
from cython.cimports.trueasync._c.uv import (
    UV_READABLE,
    uv_close,
    uv_handle_t,
    uv_loop_t,
    uv_poll_init,
    uv_poll_start,
)


@cython.final
@cython.cclass
class SignalWakeup:
    """A pipe whose one end CPython writes to and whose other end the loop watches."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def watch(self, loop: cython.pointer(uv_loop_t)) -> cython.int:
        """Start, if this is the main thread."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        try:
            self.previous = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        except ValueError:  # another thread: no signal handler runs there
            os.close(self.reader)
            os.close(self.writer)
            return 0
        self.open = True
        uv_poll_init(loop, cython.address(self.handle), self.reader)  # makes it non-blocking
        self.handle.data = cython.cast(cython.p_void, cython.cast(intptr_t, self.reader))
        uv_poll_start(cython.address(self.handle), UV_READABLE, on_signal)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close(self) -> cython.int:
        """Give the descriptor back to whoever had it; the loop must turn once more after."""
        if not self.open:
            return 0
        self.open = False
        uv_close(cython.cast(cython.pointer(uv_handle_t), cython.address(self.handle)), cython.NULL)
        restore(self.writer, self.previous)
        os.close(self.reader)
        os.close(self.writer)
        return 0


def on_signal(handle, status, events):
    # Only emptied: what happened is CPython's to know, and it looks after the wait.
    buffer: cython.char[256]
    while read(cython.cast(cython.int, cython.cast(intptr_t, handle.data)), buffer, 256) == 256:
        pass


@cython.cfunc
def restore(ours: cython.int, previous: cython.int):
    now = signal.set_wakeup_fd(-1)
    if now != ours:
        previous = now  # somebody has put another in its place since
    try:
        signal.set_wakeup_fd(previous)
    except (OSError, ValueError):
        pass  # its owner has closed it: there is nobody to give it back to

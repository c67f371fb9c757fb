"""UvReactor: the libuv loop of one thread.

Rules of this file:
1. Nothing switches stacks below uv_run(): callbacks only fire events.
2. What a callback raises is kept and raised by poll(); C could only print it.
"""

from _thread import get_ident

import cython
from cython.cimports.libc.math import ceil
from cython.cimports.trueasync._c.python import PyErr_CheckSignals
from cython.cimports.trueasync._c.uv import (
    UV_RUN_NOWAIT,
    UV_RUN_ONCE,
    uv_close,
    uv_handle_t,
    uv_hrtime,
    uv_loop_close,
    uv_loop_init,
    uv_run,
    uv_run_mode,
    uv_stop,
    uv_strerror,
    uv_timer_init,
    uv_timer_start,
    uv_timer_stop,
    uv_update_time,
    uv_version_string,
)
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.reactor.base import Reactor
from cython.cimports.trueasync.reactor.heap import TimerHeap
from cython.cimports.trueasync.reactor.signals import SignalWakeup
from cython.cimports.trueasync.reactor.timer import new_timer

from ..errors import UsageError

INFINITY = cython.declare(cython.double, float("inf"))
# uv_timer_start() counts in unsigned 64-bit milliseconds; a wait may end early, never late.
LONGEST_WAIT_MS = cython.declare(cython.double, 1e12)


@cython.final
@cython.cclass
class UvReactor(Reactor):
    """Times by CLOCK_MONOTONIC, the clock of time.monotonic(). Not for other threads."""

    def __init__(self):
        self.thread = get_ident()
        self.timers = TimerHeap()
        self.signals = SignalWakeup()
        status: cython.int = uv_loop_init(cython.address(self.loop))
        if status != 0:
            raise OSError(-status, f"libuv could not make a loop: {message_of(status)}")
        uv_timer_init(cython.address(self.loop), cython.address(self.alarm))
        self.open = True
        self.signals.watch(cython.address(self.loop))

    def __del__(self):
        if self.open and self.thread == get_ident():
            self.close()

    @cython.ccall
    @cython.exceptval(-1, check=True)
    def now(self) -> cython.double:
        return uv_hrtime() * 1e-9

    @cython.ccall
    def timer(self, delay: cython.double) -> Event:
        return new_timer(self, delay)

    @cython.ccall
    def poll(self, wait: cython.bint):
        timer: Event
        if not self.open:
            raise UsageError("this reactor is closed; it cannot be polled any more")
        if wait:
            self.sleep()
        now: cython.double = self.now()
        timer = self.timers.pop_due(now)
        while timer is not None:
            timer.fire_with(None, None)
            timer = self.timers.pop_due(now)
        if self.error is not None:
            error = self.error
            self.error = None
            raise error

    @cython.cfunc
    def sleep(self):
        """Let the system wake us, for the first timer at the latest."""
        deadline: cython.double = self.timers.next_deadline()
        delay_ms: cython.double = ceil((deadline - self.now()) * 1000.0)
        if delay_ms <= 0:
            return
        if deadline != INFINITY:
            uv_update_time(cython.address(self.loop))
            delay_ms = min(delay_ms, LONGEST_WAIT_MS)
            uv_timer_start(
                cython.address(self.alarm), on_alarm, cython.cast(cython.ulonglong, delay_ms), 0
            )
        self.turn(UV_RUN_ONCE)
        uv_timer_stop(cython.address(self.alarm))
        PyErr_CheckSignals()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def turn(self, mode: uv_run_mode) -> cython.int:
        with cython.nogil:
            uv_run(cython.address(self.loop), mode)
        return 0

    @cython.ccall
    def close(self):
        if not self.open:
            return
        if self.thread != get_ident():
            raise UsageError("a reactor must be closed in the thread that made it")
        self.open = False
        self.timers.clear()
        self.signals.close()
        uv_close(cython.cast(cython.pointer(uv_handle_t), cython.address(self.alarm)), cython.NULL)
        # Handles are gone only after their close callbacks, and those need turns.
        while uv_loop_close(cython.address(self.loop)) != 0:
            self.turn(UV_RUN_NOWAIT)


def on_alarm(handle):
    # Before 1.45, uv_run() runs timers first and then waits for the rest, for ever.
    uv_stop(handle.loop)


def message_of(status: cython.int) -> str:
    """libuv's words for an error. Never suspends."""
    return uv_strerror(status).decode()


def libuv_version() -> str:
    """The version of libuv this process runs. Never suspends."""
    return uv_version_string().decode()

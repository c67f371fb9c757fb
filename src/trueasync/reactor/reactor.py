"""UvReactor: the libuv loop of one thread.

Rules of this file:
1. Nothing of ours runs below uv_run(): callbacks leave notes, and poll() acts on them.
2. What is raised then is kept until all have been told, and raised by poll().
"""

from _operator import index
from _thread import get_ident

import cython
from cython.cimports.libc.math import ceil
from cython.cimports.trueasync._c.python import PyErr_CheckSignals
from cython.cimports.trueasync._c.uv import (
    UV_RUN_NOWAIT,
    UV_RUN_ONCE,
    uv_async_init,
    uv_async_send,
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
from cython.cimports.trueasync.reactor.base import Descriptor, Job, Reactor
from cython.cimports.trueasync.reactor.descriptors import Descriptors
from cython.cimports.trueasync.reactor.heap import TimerHeap
from cython.cimports.trueasync.reactor.note import tell_owners
from cython.cimports.trueasync.reactor.signal import new_signal
from cython.cimports.trueasync.reactor.signals import Signals
from cython.cimports.trueasync.reactor.thread_call import ThreadCall
from cython.cimports.trueasync.reactor.timer import new_timer
from cython.cimports.trueasync.reactor.trigger import Trigger
from cython.cimports.trueasync.reactor.work import new_work

from ..errors import HandlerError, UsageError
from .failure import error_of
from .process import process_end
from .waiting_thread import ChildChange

INFINITY = cython.declare(cython.double, float("inf"))
# Where only other threads can go on: seconds between two looks whether any is left.
LOOK_AT_THREADS = cython.declare(cython.double, 1.0)
# uv_timer_start() counts in unsigned 64-bit milliseconds; a wait may end early, never late.
LONGEST_WAIT_MS = cython.declare(cython.double, 1e12)


@cython.final
@cython.cclass
class UvReactor(Reactor):
    """Times by CLOCK_MONOTONIC, the clock of time.monotonic(). Not for other threads."""

    def __init__(self):
        self.owner = get_ident()
        self.timers = TimerHeap()
        self.signals = Signals()
        self.descriptors = Descriptors()
        self.processes = {}
        self.posted = []
        self.errors = []
        loop: cython.pointer(uv_loop_t) = cython.address(self.loop)
        status: cython.int = uv_loop_init(loop)
        if status != 0:
            raise error_of(status, "libuv could not make a loop")
        uv_timer_init(loop, cython.address(self.alarm))
        status = uv_async_init(loop, cython.address(self.bell), on_bell)
        if status != 0:
            uv_loop_close(loop)
            raise error_of(status, "libuv could not make a bell for other threads")
        self.open = True
        self.signals.watch(self)

    def __del__(self):
        if self.open and self.owner == get_ident():
            self.close()

    @cython.ccall
    @cython.exceptval(-1, check=True)
    def now(self) -> cython.double:
        return uv_hrtime() * 1e-9

    # -- events -------------------------------------------------------------------------

    @cython.ccall
    def timer(self, delay: cython.double) -> Event:
        return new_timer(self, delay)

    @cython.ccall
    def descriptor(self, fd: cython.int) -> Descriptor:
        if not self.open:
            raise UsageError(f"descriptor {fd} cannot be waited for: this reactor is closed")
        return self.descriptors.get(self, fd)

    def signal(self, number) -> Event:  # not annotated: Cython would make 1.5 an int
        if not self.open:
            raise UsageError(f"signal {number} cannot be waited for: this reactor is closed")
        return new_signal(self, index(number))

    def filesystem(self, path, recursive=False) -> Event:
        if not self.open:
            raise UsageError(f"{path} cannot be watched: this reactor is closed")
        # Imported when they are needed: few programs watch files.
        from .filesystem import filesystem
        from .watches import Watches

        if self.watches is None:
            self.watches = Watches(self)
        return filesystem(self.watches, path, recursive)

    def lookup(self, host, port, family=0, type=0, proto=0, flags=0) -> Event:
        from .lookup import Lookup

        return Lookup(self, host, port, family, type, proto, flags)

    def reverse_lookup(self, address, flags=0) -> Event:
        from .lookup import ReverseLookup

        return ReverseLookup(self, address, flags)

    def process(self, pid: int, reap: bool = True) -> Event:
        return process_end(self, self.processes, pid, reap)

    def child_change(self, idtype: int, number: int, options: int) -> Event:
        return ChildChange(self, (idtype, number, options))

    @cython.ccall
    def work(self, job: Job) -> Event:
        return new_work(self, job)

    def trigger(self) -> Event:
        return Trigger(self)

    def thread(self, function, args: tuple = (), kwargs: dict | None = None, crew=None) -> Event:
        return ThreadCall(self, function, args, kwargs, crew)

    # -- from other threads -------------------------------------------------------------

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def post(self, function) -> cython.bint:
        # The GIL makes these steps one.
        if not self.open:
            return False
        self.posted.append(function)
        self.rung = True
        if self.waiting:
            self.waiting = False  # one ring is enough
            uv_async_send(cython.address(self.bell))
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def call_posted(self) -> cython.int:
        posted: list = self.posted
        self.rung = False
        self.posted = []
        for function in posted:
            try:
                function()
            except BaseException as error:
                self.errors.append(error)
        return 0

    # -- polling ------------------------------------------------------------------------

    @cython.ccall
    def poll(self, wait: cython.bint):
        if not self.open:
            raise UsageError("this reactor is closed; it cannot be polled any more")
        if not self.quiet:
            self.descriptors.unswept = True  # something has run, and may have closed one
        if wait or self.watching:
            self.turn(wait and self.has_nothing_to_tell())
        self.quiet = wait and self.notes.first == cython.NULL and not self.rung
        tell_owners(cython.address(self.notes), self.errors)
        if self.fire_due():
            self.quiet = False
        if self.rung:
            self.call_posted()
        if self.errors:
            raise self.errors.pop(0)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fire_due(self) -> cython.int:
        """Fire the timers that are due, and sweep if it is time; how many have fired."""
        fired: cython.int = 0
        now: cython.double = self.now()
        if self.descriptors.sweep_deadline(now) <= now:
            self.descriptors.sweep()
        timer: Event = self.timers.pop_due(now)
        while timer is not None:
            fired += 1
            try:
                timer.fire_with(None, None)
            except BaseException as error:
                self.errors.append(error)
            timer = self.timers.pop_due(now)
        return fired

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def has_nothing_to_tell(self) -> cython.bint:
        return not self.rung and not self.errors and self.notes.first == cython.NULL

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def turn(self, wait: cython.bint) -> cython.int:
        """Let libuv look at the system, once; with `wait`, until it has something to report."""
        if self.descriptors.fresh:
            # Armed before the GIL is let go: nobody can close one between check and arming.
            closed: cython.int = self.descriptors.check_fresh()
            self.run(UV_RUN_NOWAIT)
            wait = wait and closed == 0 and self.notes.first == cython.NULL
        elif not wait:
            self.run(UV_RUN_NOWAIT)
        if wait:
            now: cython.double = self.now()
            deadline: cython.double = now + LOOK_AT_THREADS if self.active == 0 else INFINITY
            deadline = min(deadline, self.descriptors.sweep_deadline(now))
            self.wait_until(min(deadline, self.timers.next_deadline()))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait_until(self, deadline: cython.double) -> cython.int:
        delay_ms: cython.double = ceil((deadline - self.now()) * 1000.0)
        if delay_ms <= 0 or self.rung:
            return self.run(UV_RUN_NOWAIT) if self.watching else 0
        if deadline != INFINITY:
            uv_update_time(cython.address(self.loop))
            delay_ms = min(delay_ms, LONGEST_WAIT_MS)
            uv_timer_start(
                cython.address(self.alarm), on_alarm, cython.cast(cython.ulonglong, delay_ms), 0
            )
        self.waiting = True
        with cython.nogil:
            uv_run(cython.address(self.loop), UV_RUN_ONCE)
        self.waiting = False
        uv_timer_stop(cython.address(self.alarm))
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            raise HandlerError(error) from error
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def run(self, mode: uv_run_mode) -> cython.int:
        # With the GIL: no callback needs it, and taking it again costs more than such a turn.
        uv_run(cython.address(self.loop), mode)
        return 0

    @cython.ccall
    def close(self):
        if not self.open:
            return
        if self.owner != get_ident():
            raise UsageError("a reactor must be closed in the thread that made it")
        self.open = False
        self.closed = True
        self.posted.clear()
        self.timers.clear()
        if self.watches is not None:
            self.watches.close()
            self.watches = None
        self.descriptors.close()
        self.signals.close()
        uv_close(cython.cast(cython.pointer(uv_handle_t), cython.address(self.alarm)), cython.NULL)
        uv_close(cython.cast(cython.pointer(uv_handle_t), cython.address(self.bell)), cython.NULL)
        # Handles are gone only after their close callbacks, and those need turns.
        while uv_loop_close(cython.address(self.loop)) != 0:
            with cython.nogil:
                uv_run(cython.address(self.loop), UV_RUN_ONCE)
        # Jobs that were still under way have ended by now: who holds them lets go.
        tell_owners(cython.address(self.notes), self.errors)
        if self.errors:
            raise self.errors.pop(0)


def on_bell(handle):
    pass  # it has ended the wait: poll() looks at what is posted


def on_alarm(handle):
    # Before 1.45, uv_run() runs timers first and then waits for the rest, for ever.
    uv_stop(handle.loop)


def message_of(status: cython.int) -> str:
    """libuv's words for an error. Never suspends."""
    return uv_strerror(status).decode()


def libuv_version() -> str:
    """The version of libuv this process runs. Never suspends."""
    return uv_version_string().decode()

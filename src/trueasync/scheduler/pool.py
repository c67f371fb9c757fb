"""ContextPool: idle contexts, kept for as long as recent bursts make them worth their memory.

A context costs about 6 KB while it is idle, and less than a microsecond to make.
So the pool keeps what the busiest moment of late needed, and forgets half of that a second.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.arena import arena_release
from cython.cimports.trueasync.scheduler.context import Context, new_context, switch, take_error
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

SMALLEST = cython.declare(cython.int, 16)
SECONDS_PER_TRIM = cython.declare(cython.double, 1.0)
# Ending a context takes about a microsecond: nobody shall wait for thousands of them.
RELEASED_AT_ONCE = cython.declare(cython.Py_ssize_t, 1024)


@cython.final
@cython.cclass
class ContextPool:
    """Grows with demand, shrinks over time."""

    def __init__(self, scheduler: Scheduler):
        self.scheduler = scheduler
        self.idle = []
        self.demand = SMALLEST

    @cython.cfunc
    @cython.inline
    def take(self) -> Context:
        if not self.idle:
            return None
        self.in_use += 1
        if self.in_use > self.peak:
            self.peak = self.in_use
        return cython.cast(Context, self.idle.pop())

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def create(self) -> cython.int:
        """Add a fresh one. Only for home, which must start it before it leaves."""
        self.created += 1
        self.fresh = new_context()
        self.idle.append(self.fresh)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def discard_fresh(self) -> cython.int:
        """The coroutine it was made for has gone; nobody but home may start it."""
        self.idle.pop()
        self.fresh = None
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give(self, context: Context) -> cython.int:
        self.in_use -= 1
        self.idle.append(context)
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_due(self, now: cython.double) -> cython.bint:
        return now >= self.next_trim and len(self.idle) > SMALLEST

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def trim(self, now: cython.double) -> cython.int:
        """Give back what recent bursts did not need. Only for home."""
        if not self.is_due(now):
            return 0
        self.demand = max(SMALLEST, self.peak, self.demand // 2)
        self.peak = self.in_use
        spare: cython.Py_ssize_t = max(0, self.demand - self.in_use)
        surplus: cython.Py_ssize_t = len(self.idle) - spare
        self.release(max(spare, len(self.idle) - RELEASED_AT_ONCE))
        if surplus <= RELEASED_AT_ONCE:
            self.next_trim = now + SECONDS_PER_TRIM
        return 0

    @cython.cfunc
    def before_waiting(self, now: cython.double) -> Event:
        """Trim; while there is more to give back, an alarm so that a long wait is used."""
        self.trim(now)
        if len(self.idle) <= SMALLEST:
            return None
        alarm: Event = self.scheduler.reactor.timer(max(0.0, self.next_trim - now))
        alarm.hide()
        alarm.start()
        return alarm

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def release(self, keep: cython.Py_ssize_t) -> cython.int:
        """End idle contexts until `keep` are left. Only for home."""
        context: Context
        while len(self.idle) > keep:
            context = self.idle.pop()
            context.coroutine = None
            # It sees that it has nothing to run, ends, and comes back.
            if switch(cython.cast(cython.pointer(PyObject), context.stack)) != 0:
                self.scheduler.unhandled(take_error())
        arena_release(keep)
        return 0

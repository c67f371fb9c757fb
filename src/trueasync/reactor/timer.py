"""Timer: fires once, a delay after it is started."""

import cython
from cython.cimports.trueasync._c.python import (
    PyObject_GC_IsTracked,
    PyObject_GC_Track,
    PyObject_GC_UnTrack,
)
from cython.cimports.trueasync.reactor.base import ReactorEvent
from cython.cimports.trueasync.reactor.heap import TimerHeap
from cython.cimports.trueasync.reactor.reactor import UvReactor


@cython.final
@cython.cclass
class Timer(ReactorEvent):
    """Never early: its delay counts from the moment it is started, on a fresh clock."""

    @cython.ccall
    def arm(self):
        ReactorEvent.arm(self)
        self.number = self.heap().add(self.reactor.now() + self.delay, self)
        PyObject_GC_UnTrack(self)  # the heap keeps it alive: no need to look at it

    @cython.ccall
    def disarm(self):
        ReactorEvent.disarm(self)
        if not PyObject_GC_IsTracked(self):
            PyObject_GC_Track(self)
        if self.number:
            self.number = 0
            self.heap().mark_stale()

    @cython.cfunc
    @cython.inline
    def heap(self) -> TimerHeap:
        return cython.cast(UvReactor, self.reactor).timers

    @cython.ccall
    def info(self) -> str:
        return f"a timer of {self.delay:g} s"


@cython.cfunc
def new_timer(reactor, delay: cython.double) -> Timer:
    if not delay >= 0:
        raise ValueError(f"a delay must be 0 or more seconds, not {delay}")
    timer: Timer = Timer.__new__(Timer)
    timer.reactor = reactor
    timer.delay = delay
    return timer

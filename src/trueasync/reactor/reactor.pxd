from trueasync._c.uv cimport uv_async_t, uv_loop_t, uv_run_mode, uv_timer_t
from trueasync.reactor.base cimport Reactor
from trueasync.reactor.heap cimport TimerHeap
from trueasync.reactor.note cimport NoteQueue

cdef class UvReactor

from trueasync.reactor.descriptors cimport Descriptors
from trueasync.reactor.signals cimport Signals

cdef void on_alarm(uv_timer_t* handle) noexcept nogil
cdef void on_bell(uv_async_t* handle) noexcept nogil

cdef class UvReactor(Reactor):
    cdef uv_loop_t loop
    cdef uv_timer_t alarm       # ends a wait when the first timer is due
    cdef uv_async_t bell        # ends a wait from another thread
    cdef bint rung              # there is something in `posted`
    cdef bint waiting           # below uv_run(), without the GIL: post() has to ring
    cdef list posted            # functions from other threads, to be called
    cdef NoteQueue notes        # what callbacks left to be told
    cdef TimerHeap timers
    cdef Signals signals
    cdef object watches         # of files; None before the first
    cdef Descriptors descriptors
    cdef dict processes         # what watches each, by number, weakly
    cdef int watching           # armed descriptors and requests: what a turn may report
    cdef bint quiet             # the last poll waited, and nothing happened
    cdef bint open
    cdef object owner           # the thread that made it
    cdef list errors            # raised by callbacks, waiting for poll() to raise them

    cdef bint has_nothing_to_tell(self) noexcept
    cdef int turn(self, bint wait) except -1
    cdef int wait_until(self, double deadline) except -1
    cdef int run(self, uv_run_mode mode) except -1
    cdef int fire_due(self) except -1
    cdef int call_posted(self) except -1

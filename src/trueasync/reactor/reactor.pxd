from trueasync._c.uv cimport uv_loop_t, uv_run_mode, uv_timer_t
from trueasync.reactor.base cimport Reactor
from trueasync.reactor.heap cimport TimerHeap
from trueasync.reactor.signals cimport SignalWakeup

cdef void on_alarm(uv_timer_t* handle) noexcept nogil

cdef class UvReactor(Reactor):
    cdef uv_loop_t loop
    cdef uv_timer_t alarm       # ends a wait when the first timer is due
    cdef TimerHeap timers
    cdef SignalWakeup signals
    cdef bint open
    cdef object thread          # the one that made it
    cdef object error           # raised by a callback, waiting for poll() to raise it

    cdef sleep(self)
    cdef int turn(self, uv_run_mode mode) except -1

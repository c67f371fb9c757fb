from trueasync.events.event cimport Event
from trueasync.scheduler.context cimport Context
from trueasync.scheduler.scheduler cimport Scheduler

cdef class ContextPool:
    cdef Scheduler scheduler
    cdef list idle              # the one used last stands at the end
    cdef Context fresh          # between being made and its first start
    cdef readonly int in_use
    cdef readonly long long created
    cdef int peak               # most in use since the last trim
    cdef int demand             # how many recent bursts needed
    cdef double next_trim

    cdef Context take(self)     # an idle one, or None
    cdef int create(self) except -1
    cdef int discard_fresh(self) except -1
    cdef int give(self, Context context) except -1
    cdef bint is_due(self, double now) noexcept
    cdef int trim(self, double now) except -1
    cdef Event before_waiting(self, double now)
    cdef int release(self, Py_ssize_t keep) except -1

from trueasync.reactor.poll cimport UvDescriptor
from trueasync.reactor.reactor cimport UvReactor

cdef class Descriptors:
    cdef dict by_number
    cdef list fresh             # armed since the loop last turned
    cdef bint unswept           # something has run since the last sweep
    cdef double next_sweep

    cdef UvDescriptor get(self, UvReactor reactor, int fd)
    cdef int forget(self, UvDescriptor descriptor) except -1
    cdef int check_fresh(self) except -1
    cdef double sweep_deadline(self, double now) noexcept
    cdef int sweep(self) except -1
    cdef int leave_behind(self) except -1
    cdef int close(self) except -1

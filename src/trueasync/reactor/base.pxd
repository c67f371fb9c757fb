from trueasync.events.event cimport Event

cdef int READABLE, WRITABLE

ctypedef void (*Perform)(void* data) noexcept nogil

cdef class Reactor:
    cdef public int active      # armed events that are a reason to wait
    cdef public int awaited_calls  # of threads: time must not jump meanwhile
    cdef readonly bint closed

    cpdef double now(self) except? -1
    cpdef poll(self, bint wait)
    cpdef Event timer(self, double delay)
    cpdef Descriptor descriptor(self, int fd)
    cpdef Event work(self, Job job)
    cpdef bint post(self, object function) except -1
    cpdef close(self)


cdef class Job:
    cdef Perform perform
    cdef void* data             # belongs to the subclass

    cpdef ended(self)


cdef class ReactorEvent(Event):
    cdef Reactor reactor


cdef class Readiness(ReactorEvent):
    cpdef again(self)


cdef class Descriptor:
    cdef readonly int fd
    cdef int ready              # directions that were seen to be ready, and not used since
    cdef readonly bint closed
    cdef bint drained           # the last read got all there was: trying again is no use

    cpdef Readiness readable(self)
    cpdef Readiness writable(self)
    cpdef forget_readable(self)
    cpdef close(self, object reason)

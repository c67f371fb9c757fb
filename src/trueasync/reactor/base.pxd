from trueasync.events.event cimport Event

cdef class Reactor:
    cdef public int active      # armed events that are a reason to wait

    cpdef double now(self) except? -1
    cpdef poll(self, bint wait)
    cpdef Event timer(self, double delay)
    cpdef Descriptor descriptor(self, int fd)
    cpdef bint post(self, object function) except -1
    cpdef close(self)


cdef class ReactorEvent(Event):
    cdef Reactor reactor


cdef class Descriptor:
    cdef readonly int fd
    cdef readonly bint closed

    cpdef Event readable(self)
    cpdef Event writable(self)
    cpdef forget_readable(self)
    cpdef close(self, object reason)

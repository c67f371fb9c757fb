from trueasync.events.event cimport Event

cdef class Reactor:
    cdef public int active      # armed events that are a reason to wait

    cpdef double now(self) except? -1
    cpdef poll(self, bint wait)
    cpdef Event timer(self, double delay)
    cpdef close(self)


cdef class ReactorEvent(Event):
    cdef Reactor reactor

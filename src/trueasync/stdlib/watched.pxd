from trueasync.reactor.base cimport Descriptor, Reactor

cdef class Watched:
    cdef object socket          # a weak reference
    cdef Reactor reactor
    cdef readonly Descriptor descriptor
    cdef readonly object twin   # the same descriptor, and never blocks

    cdef int close(self) except -1


cdef Watched watch(object socket)
cdef bint is_of(Watched watched, object socket) except -1
cpdef Watched find(object socket)
cpdef bint forget(object socket) except -1
cpdef forget_all()
cdef Watched new_watched(object socket, int fd, Reactor reactor)

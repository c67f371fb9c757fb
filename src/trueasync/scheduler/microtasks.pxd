from trueasync.scheduler.ring cimport Ring

cdef class Microtask:
    cdef object handler
    cdef object destructor
    cdef readonly bint cancelled
    cdef readonly int count     # times it stands in a queue, or runs

    cdef int run(self) except -1


cdef class MicrotaskQueue(Ring):
    cdef int add(self, Microtask microtask) except -1
    cdef int run(self) except -1

from trueasync.events.event cimport Event

cdef class Errand:
    cdef str what               # for reports: "what another coroutine reads from"
    cdef bint under_way
    cdef ErrandEnd end_of_it    # None if nobody waits for that

    cdef bint begin(self, object handle) except -1
    cdef int end(self) except -1


cdef class ErrandEnd(Event):
    cdef str what
    cdef object handle


cdef Errand new_errand(str what)

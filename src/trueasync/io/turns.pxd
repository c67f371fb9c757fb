from trueasync.sync.line cimport Line, Turn

cdef class Turns:
    cdef readonly bint taken
    cdef Line line              # None until somebody has to wait

    cdef int take(self, str what, object handle) except -1
    cdef int wait(self, str what, object handle) except -1
    cdef int pass_on(self) except -1
    cdef int dismiss(self) except -1


cdef class Waiting(Turn):
    cdef Turns turns
    cdef str what               # and `handle`: "read from", "127.0.0.1:80", for reports
    cdef object handle

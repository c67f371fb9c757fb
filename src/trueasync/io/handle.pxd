from trueasync.io.turns cimport Turns

cdef Py_ssize_t READ_SIZE

cdef class Handle:
    cdef readonly bint closed
    cdef Turns reading
    cdef Turns writing

    cpdef close(self)
    cpdef str info(self)
    cpdef bytes receive(self, Py_ssize_t size)
    cpdef transmit(self, object data)
    cpdef release(self)
    cpdef int begin_reading(self) except -1
    cpdef int end_reading(self) except -1
    cpdef int begin_writing(self) except -1
    cpdef int end_writing(self) except -1
    cpdef refusal(self, str what)


cdef bytes none_of(Py_ssize_t size)

from trueasync.io.ahead cimport ReadAhead
from trueasync.io.handle cimport Handle

cdef class Stream(Handle):
    cdef ReadAhead ahead

    cpdef transmit_all(self, list parts)

    cdef Py_ssize_t receive_into(self, char* target, Py_ssize_t size) except -1
    cdef Py_ssize_t put_into(self, char* target, Py_ssize_t size) except -1
    cdef Py_ssize_t fetch(self, Py_ssize_t wanted) except -1
    cdef Py_ssize_t find_end(self, bytes separator, Py_ssize_t limit) except -2
    cdef object incomplete(self, object expected)

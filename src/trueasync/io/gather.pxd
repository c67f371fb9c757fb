from cpython.buffer cimport Py_buffer
from trueasync._c.socket cimport iovec
from trueasync.reactor.base cimport Descriptor

cdef class Gather:
    cdef Py_buffer* views
    cdef iovec* parts           # what is still to go of each
    cdef Py_ssize_t held        # how many views there are
    cdef Py_ssize_t first       # the first part that has not gone
    cdef Py_ssize_t left        # bytes

    cdef int hold(self, list buffers) except -1
    cdef Py_ssize_t send_all(self, Descriptor descriptor, int flags) except? -1
    cdef Py_ssize_t try_send(self, int fd, int flags) except? -1
    cdef bint advance(self, Py_ssize_t put) noexcept

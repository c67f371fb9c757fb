from cpython.object cimport PyObject
from trueasync.io.stream cimport Stream
from trueasync.reactor.base cimport Descriptor, Reactor

cdef class DescriptorStream(Stream):
    cdef int fd                 # -1 once it was closed or given away
    cdef int flags              # for recv and send, or NO_SOCKET
    cdef Descriptor descriptor  # None until it is used in a run
    cdef Reactor reactor        # the descriptor's
    cdef PyObject* run          # the scheduler it is used with; only to compare

    cdef object put(self, const char* source, Py_ssize_t size)
    cdef int enter(self) except -1
    cdef int change_run(self) except -1
    cdef bint is_watched(self) except -1
    cdef bint is_watched_elsewhere(self) except -1
    cdef int unwatch(self) except -2
    cdef int abandon(self) except -1
    cdef object failure(self, str what, Py_ssize_t answer)

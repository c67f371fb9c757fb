from trueasync.io.jobs cimport FileJob
from trueasync.io.stream cimport Stream

cdef class File(Stream):
    cdef readonly object path
    cdef readonly str mode
    cdef int fd                 # -1 once it was closed
    cdef bint writable_too
    cdef bint appending         # the kernel knows where to write: at the end
    cdef long long position     # of the next byte from the system; what is ahead is before it
    cdef dict flights           # jobs that a thread may be working on, and their events
    cdef FileJob writing_job    # the one of them that writes
    cdef bint moving            # and moves the position
    cdef bint turn_left         # whoever began it has gone: its end gives the turn back
    cdef bint close_when_landed

    cpdef landed(self, FileJob job)

    cdef int close_now(self) except -1
    cdef int settle(self) except -1
    cdef long long length(self) except -1
    cdef bytes read_rest(self, object limit)
    cdef bytes read_piece(self, Py_ssize_t size, long long offset)
    cdef write_pieces(self, list parts, long long offset, bint moves)
    cdef fly(self, FileJob job, bint keeps_turn)

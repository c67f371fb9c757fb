from trueasync.io.pinned cimport PinnedStream

cdef class File(PinnedStream):
    cdef readonly str mode
    cdef bint appending         # the kernel knows where to write: at the end
    cdef long long position     # of the next byte from the system; what is ahead is before it
    cdef bint moving            # the write under way moves it

    cdef int settle(self) except -1
    cdef long long length(self) except -1
    cdef bytes read_rest(self, object limit)
    cdef bytes read_piece(self, Py_ssize_t size, long long offset)
    cdef write_pieces(self, list parts, long long offset, bint moves)

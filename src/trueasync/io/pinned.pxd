from trueasync.io.jobs cimport FileJob
from trueasync.io.stream cimport Stream

cdef class PinnedStream(Stream):
    cdef readonly object path
    cdef int fd                 # -1 once it was closed
    cdef bint writable_too
    cdef dict flights           # jobs that a thread may be working on, and their events
    cdef FileJob writing_job    # the one of them that writes
    cdef bint turn_left         # whoever began it has gone: its end gives the turn back
    cdef bint close_when_landed

    cpdef fly(self, FileJob job, bint keeps_turn)
    cpdef written(self, FileJob job)
    cpdef landed(self, FileJob job)

    cdef int close_now(self) except -1

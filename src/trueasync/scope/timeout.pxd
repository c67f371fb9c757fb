from trueasync._c.python cimport flag
from trueasync.events.event cimport Event
from trueasync.scheduler.block cimport Block

cdef class Timeout(Block):
    cdef double seconds         # from when it is entered, if `relative`
    cdef double at              # the deadline; infinity without a limit
    cdef flag relative
    cdef flag silent            # it ends the block without an error
    cdef readonly flag expired
    cdef int made_offset        # with made_code: where it was made
    cdef object made_code
    cdef Event timer            # while entered, if there is a limit

    cdef int arm(self, double delay) except -1
    cdef int disarm(self) except -1
    cdef int expire(self) except -1
    cdef str text(self)

cdef Timeout new_timeout(double seconds, double at, bint relative, bint silent)

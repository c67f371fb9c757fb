from trueasync.scheduler.scheduler cimport Scheduler
from trueasync.sync.line cimport Line, Turn

cdef class Arrivals:
    cdef readonly bint closed
    cdef Scheduler scheduler
    cdef object kept            # what has arrived while nobody waited
    cdef Line takers            # empty as long as anything is kept
    cdef object reason          # the error that ended it, or None
    cdef object __weakref__

    cpdef next_event(self)
    cpdef arrive(self, object item)
    cpdef end(self, object reason=*)
    cpdef close(self)
    cpdef str info(self)
    cdef object ended(self)
    cdef int check_run(self) except -1


cdef class Arrival(Turn):
    cdef Arrivals source
    cdef bint counted           # among the reasons to wait

    cdef int uncount(self) except -1


cdef Arrival new_arrival(Arrivals source)

from trueasync.events.event cimport Event, Listener
from trueasync.sync.pool cimport Pool

cdef class Due(Listener):
    cdef object pool            # a weak reference


cdef Event start_watch(Pool pool)
cdef int check_idle(Pool pool) except -1
cdef int check_one(Pool pool, object item) except -1
cdef int refill(Pool pool) except -1
cdef bint is_tripped(Pool pool) except -1

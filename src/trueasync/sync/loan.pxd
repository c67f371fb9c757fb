from trueasync._c.python cimport flag
from trueasync.sync.line cimport Turn
from trueasync.sync.pool cimport Pool

cdef class Loan:
    cdef Pool pool
    cdef object item            # until it is given back
    cdef object ticket          # by which a breaker knows it; None without one
    cdef flag lent
    cdef object __weakref__

    cdef int forgotten(self, object item) except -1
    cdef object give_up(self)


cdef class Wanting(Turn):
    cdef Pool pool


cdef object NONE_FREE           # given instead of a resource: a slot to make one in

from trueasync._c.python cimport flag
from trueasync.sync.line cimport Line, Turn
from trueasync.sync.queue cimport Queue

cdef class Exchange(Turn):
    cdef Queue queue
    cdef flag locked            # it holds the mutex, until it stands in line

    cdef int attempt(self) except -1
    cdef line_up_in(self, Line line)
    cdef int unlock(self) except -1


cdef class Getting(Exchange):
    pass


cdef class Putting(Exchange):
    cdef object item            # until it is in


cdef class Joining(Turn):
    cdef Queue queue


cdef object NOTHING

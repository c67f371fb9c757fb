from trueasync._c.python cimport flag
from trueasync.events.event cimport Event, Listener
from trueasync.sync.line cimport Turn

cdef class ThreadWaker(Listener):
    cdef object gate            # a native lock, shut until the wake-up
    cdef flag claimed


cpdef double clock() except? -1
cdef bint wait_at(Turn turn, object timeout) except -1
cdef bint wait_in_thread(Turn turn, object timeout) except -1
cdef int get_through(object gate, Turn turn, ThreadWaker waker, object timeout) except -1

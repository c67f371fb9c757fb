from trueasync._c.python cimport flag
from trueasync.events.event cimport Listener

cdef class Block

from trueasync.scheduler.coroutine cimport Coroutine

cdef class Block(Listener):
    # The next one around it. The chain of a coroutine ends with the children it is one of.
    cdef Block outer
    cdef Coroutine coroutine    # whose code it is; None before it is entered and after it was left
    cdef object cancellation    # the Cancelled made for it, once asked to leave it
    cdef object covered         # the Cancelled of one further out that has to be left; else None
    cdef flag shields           # it keeps off what comes from outside of it
    cdef flag delivered         # its coroutine has been told
    cdef flag insists           # again at every wait: the grace is over

    cdef int open(self, str call) except -1
    cdef bint close(self, object error) except -1
    cdef int unlink(self) except -1
    cdef int cover(self, object cancellation, bint insists) except -1
    cdef int forsake(self) except -1


cdef int forsake_blocks(Coroutine coroutine) except -1

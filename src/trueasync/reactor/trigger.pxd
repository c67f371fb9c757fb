from trueasync._c.python cimport flag
from trueasync.reactor.base cimport ReactorEvent

cdef class Trigger(ReactorEvent):
    cdef flag armed
    cdef flag signalled         # fired by somebody, and nobody has been woken for it yet
    cdef flag posted            # deliver() is on its way
    cdef object sent_value      # while signalled
    cdef object sent_error      # likewise

    cpdef again(self)
    cpdef deliver(self)
    cdef int deliver_now(self) except -1

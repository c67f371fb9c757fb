from trueasync._c.python cimport flag
from trueasync.reactor.base cimport ReactorEvent

cdef class ThreadCall

from trueasync.reactor.workers cimport Crew

cdef enum CallStage:
    NEW
    QUEUED      # in the queue of its crew
    CALLED      # a thread has it
    ENDED       # or withdrawn

cdef class ThreadCall(ReactorEvent):
    cdef readonly str name
    cdef readonly CallStage stage
    cdef Crew crew              # or None: a thread of its own
    cdef flag kept              # it is called even if nobody waits
    cdef flag delivered         # its outcome is in the thread of the reactor
    cdef public bint may_fail   # an error that nobody takes is no news
    cdef flag unclaimed         # it has failed, and nobody has asked yet
    cdef int generation         # of the process that began it
    cdef object function        # until it has been called, as all of these
    cdef tuple args
    cdef dict kwargs
    cdef object context
    cdef object result          # from the thread, until delivered
    cdef object failure         # likewise
    cdef public object on_end   # called when it has ended, in its thread, or was withdrawn

    cpdef begin(self)
    cpdef withdraw(self)
    cdef int submit(self) except -1
    cpdef perform(self)
    cdef int end_in_thread(self) except -1
    cdef int tell_end(self) except -1
    cdef int drop(self) except -1
    cpdef deliver(self)
    cdef int fire_delivered(self) except -1


cpdef int tell_unraisable(object error, object where) except -1

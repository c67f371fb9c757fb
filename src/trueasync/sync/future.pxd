from trueasync._c.python cimport flag
from trueasync.scheduler.completion cimport Completion
from trueasync.scheduler.scheduler cimport Scheduler

cdef class Future(Completion):
    cdef Scheduler scheduler    # the run it was made in; None outside of any
    cdef flag claimed           # somebody has set it; that may be on its way from another thread
    cdef flag looked            # somebody has asked, or will be told
    cdef object cancellation    # the Cancelled it was cancelled with
    cdef object outside_        # what other threads see of it; made on demand
    cdef object traceback       # of its error, as it was set
    cdef object given_name
    cdef object made_code       # with made_offset: where it was made
    cdef int made_offset
    cdef int set_offset
    cdef object set_code        # with set_offset: where it was set

    cdef int claim(self) except -1
    cdef int settle(self, object value, object error) except -1
    cdef Future derive(self, object step)

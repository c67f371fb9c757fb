from trueasync.scheduler.scheduler cimport Scheduler

cdef int loop(Scheduler scheduler) except -1
cdef int run_to_the_end(Scheduler scheduler) except -1
cdef bint lost_errors(Scheduler scheduler) except -1
cdef int idle(Scheduler scheduler) except -1
cdef bint expects_something(Scheduler scheduler) except -1

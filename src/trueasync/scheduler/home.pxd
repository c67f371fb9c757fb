from trueasync.scheduler.scheduler cimport Scheduler

cdef int loop(Scheduler scheduler) except -1
cdef bint failed_unseen(Scheduler scheduler) except -1
cdef int idle(Scheduler scheduler) except -1

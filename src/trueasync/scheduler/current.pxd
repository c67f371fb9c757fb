from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.scheduler cimport Scheduler

cdef Scheduler scheduler_here()             # or None
cdef Scheduler require_scheduler(str call)
cdef Coroutine coroutine_here()             # or None
cdef int set_scheduler_here(Scheduler scheduler) except -1

from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.scheduler cimport Scheduler

cdef Coroutine new_coroutine(Scheduler scheduler, object function, tuple args, dict kwargs)

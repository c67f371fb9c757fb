from trueasync.scheduler.coroutine cimport Coroutine

cdef int call_handlers(Coroutine coroutine, int moment) except -1

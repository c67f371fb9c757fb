from trueasync.reactor.base cimport Reactor
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.scheduler cimport Scheduler

cpdef go_on_alone(Scheduler scheduler, Reactor reactor)
cdef int leave_behind(Coroutine coroutine) except -1

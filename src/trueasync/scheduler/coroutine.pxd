from cpython.object cimport PyObject
from trueasync._c.python cimport flag
from trueasync.events.event cimport Event

cdef class Coroutine

from trueasync.scheduler.scheduler cimport Scheduler
from trueasync.scheduler.waker cimport Waker

cdef enum Stage:
    NEW         # spawned, not yet run
    READY       # on the ready queue, after a wait
    RUNNING
    WAITING     # for its waker
    DONE        # finished, failed or cancelled

cdef class Coroutine(Event):
    cdef Scheduler scheduler
    cdef unsigned char stage    # a Stage
    cdef readonly unsigned char priority
    cdef unsigned char refusals     # hard cancellations it has ignored
    cdef flag unclaimed         # it has failed, and nobody has asked yet
    cdef readonly unsigned int number   # how many were spawned before it
    cdef int spawn_offset       # with spawn_code: where it was spawned
    cdef object function        # until done; then, if it has no code, its name
    cdef tuple args             # until its function ends
    cdef dict kwargs            # likewise; None where there are none
    cdef object contextvars     # until done
    cdef object stack           # where to switch to; None before the start and when done
    cdef Waker waker            # while waiting
    cdef object cancellation    # the Cancelled made for it, once asked to stop
    cdef object pending         # to be thrown at its next wait
    cdef list handlers          # switch handlers; None where there are none
    cdef object given_name
    cdef object spawn_code
    cdef PyObject* previous     # links of the registry, which owns a reference
    cdef PyObject* following

    cdef int wake(self, Waker waker) except -1
    cdef int throw(self, object error) except -1
    cdef int raise_pending(self) except -1
    cdef int enter(self) except -1
    cdef int leave(self, PyObject* result, PyObject* raised) except -1
    cdef int finish(self, object value, object error) except -1
    cdef int drop(self) except -1
    cdef int claim(self) except -1
    cdef bint ends_the_run(self, object error) except -1
    cdef bint cancel_for(self, object cancellation, bint again) except -1
    cdef int call_handlers(self, int moment) except -1
    cpdef set_spawn_frame(self, object frame)
    cdef int refuse_own_result(self) except -1
    cdef int join_within(self, Scheduler scheduler, object timeout) except -1
    cdef Scheduler here(self, str call)

cdef Coroutine new_coroutine(Scheduler scheduler, object function, tuple args, dict kwargs)

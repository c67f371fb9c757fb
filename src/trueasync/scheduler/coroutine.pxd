from cpython.object cimport PyObject
from trueasync._c.python cimport flag

cdef class Coroutine

from trueasync.scheduler.block cimport Block
from trueasync.scheduler.completion cimport Completion
from trueasync.scheduler.extras cimport Extras
from trueasync.scheduler.scheduler cimport Scheduler
from trueasync.scheduler.waker cimport Waker

cdef enum Stage:
    NEW         # spawned, not yet run
    READY       # on the ready queue, after a wait
    RUNNING
    WAITING     # for its waker
    DONE        # finished, failed or cancelled

cdef class Coroutine(Completion):
    cdef Scheduler scheduler
    cdef unsigned char stage    # a Stage
    cdef readonly unsigned char priority
    cdef unsigned char refusals     # hard cancellations it has ignored
    cdef flag unclaimed         # it has failed, and nobody has asked yet
    cdef readonly unsigned int number   # how many were spawned before it
    cdef int spawn_offset       # with spawn_code: where it was spawned
    cdef object function        # until done; then, if it has no code, its name
    cdef tuple args             # until its function ends
    cdef object contextvars     # until done
    cdef object stack           # where to switch to; None before the start and when done
    cdef Waker waker            # while waiting
    cdef object pending         # to be thrown at its next wait
    cdef Extras extras          # what few have; None is the rule
    # The innermost block it is in, and at the end of that chain the children it is one of.
    cdef Block inside
    cdef object spawn_code
    cdef PyObject* previous     # links of the registry, which owns a reference
    cdef PyObject* following
    cdef PyObject* elder        # its neighbours among the children of its scope
    cdef PyObject* younger

    cdef Extras need_extras(self)
    cdef PyObject* keywords(self) noexcept  # borrowed; None where there are none
    cdef object cancellation(self)  # the Cancelled made for it as a whole, or None
    cdef int wake(self, Waker waker) except -1
    cdef int throw(self, object error) except -1
    cdef int raise_pending(self) except -1
    cdef int enter(self) except -1
    cdef int leave(self, PyObject* result, PyObject* raised) except -1
    cdef int finish(self, object value, object error) except -1
    cdef int drop(self) except -1
    cdef int claim(self) except -1
    cdef bint ends_the_run(self, object error) except -1
    cdef int leave_scope(self) except -1
    cdef bint has_handlers(self) noexcept
    cpdef set_spawn_frame(self, object frame)
    cdef Scheduler here(self, str call)

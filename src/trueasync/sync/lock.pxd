from trueasync._c.python cimport flag
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.sync.line cimport Line, Turn

cdef class Lock

cdef class Acquiring(Turn):
    cdef Lock lock


cdef class Lock:
    cdef flag held
    cdef Coroutine owner        # while held by one; rules do not depend on it
    cdef Line waiting           # None until somebody has to wait
    cdef object __weakref__

    cdef bint take(self) except -1
    cdef bint wait(self, object timeout) except -1
    cdef int give_up(self) except -1


cdef object seconds_of(bint blocking, double timeout)
cdef bint wait_even_at_home(Turn turn, Coroutine owner, object timeout) except -1
cdef str holder(Coroutine owner)
cdef str waiters(Line waiting)

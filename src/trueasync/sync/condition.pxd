from trueasync._c.python cimport flag
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.sync.line cimport Line, Turn

cdef class Condition

cdef class Notice(Turn):
    cdef Condition condition
    cdef object saved           # how the lock was held before
    cdef flag released


cdef class Condition:
    cdef object lock
    cdef Line waiting
    cdef object __weakref__

    cdef bint is_owned(self) except -1
    cdef object save(self)
    cdef int restore(self, object saved) except -1
    cdef object try_restore(self, object saved)
    cdef int restore_once(self, object saved) except -1
    cdef int tell(self, Py_ssize_t most) except -1


cdef Condition new_condition(object lock, Line waiting)

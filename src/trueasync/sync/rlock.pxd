from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.sync.line cimport Line, Turn

cdef class RLock

cdef class Entering(Turn):
    cdef RLock lock
    cdef unsigned long thread
    cdef Py_ssize_t depth       # it shall have


cdef class RLock:
    cdef Coroutine owner        # None if it is a native thread
    cdef unsigned long thread   # of that, if no coroutine owns it
    cdef Py_ssize_t depth       # how often its owner has acquired it; 0 if it is free
    cdef Line waiting           # None until somebody has to wait
    cdef object __weakref__

    cdef bint is_mine(self) except -1
    cdef bint take(self) except -1
    cdef bint wait(self, Py_ssize_t depth, object timeout) except -1
    cdef int own(self, Coroutine owner, unsigned long thread, Py_ssize_t depth) except -1
    cdef int leave(self) except -1
    cdef int give_up(self) except -1

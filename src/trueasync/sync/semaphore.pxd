from trueasync.sync.line cimport Line, Turn

cdef class Semaphore

cdef class Permit(Turn):
    cdef Semaphore semaphore


cdef class Semaphore:
    cdef Py_ssize_t permits     # free ones; 0 as long as anybody waits
    cdef Py_ssize_t most        # free ones of a BoundedSemaphore
    cdef Line waiting
    cdef object __weakref__

    cdef bint take(self) except -1
    cdef bint wait(self, object timeout) except -1
    cdef int put(self, Py_ssize_t permits) except -1


cdef class BoundedSemaphore(Semaphore):
    pass

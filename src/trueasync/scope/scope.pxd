from trueasync.scheduler.children cimport Children

cdef class Scope:
    cdef Children children
    cdef bint owner             # with it, its coroutines go
    cdef object __weakref__

    cdef int require_thread(self, str call) except -1

from cpython.object cimport PyObject
from trueasync.scheduler.coroutine cimport Coroutine

cdef class Registry:
    cdef PyObject* first
    cdef PyObject* last
    cdef readonly Py_ssize_t count

    cdef int add(self, Coroutine coroutine) except -1
    cdef int remove(self, Coroutine coroutine) except -1
    cpdef list all(self)

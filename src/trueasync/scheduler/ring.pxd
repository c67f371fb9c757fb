from cpython.object cimport PyObject

cdef class Ring:
    cdef PyObject** items       # each slot in use owns a reference
    cdef Py_ssize_t capacity    # a power of two, or zero before the first push
    cdef Py_ssize_t head
    cdef readonly Py_ssize_t count

    cdef int push(self, object item) except -1
    cdef int push_front(self, object item) except -1
    cdef object pop(self)       # the head, or None
    cdef int grow(self) except -1
    cdef int swap_with_head(self, Py_ssize_t index) except -1

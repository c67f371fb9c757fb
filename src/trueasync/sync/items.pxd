cdef class Items:
    cdef list slots             # a power of two of them
    cdef Py_ssize_t head
    cdef readonly Py_ssize_t count

    cdef int push(self, object item) except -1
    cdef int push_front(self, object item) except -1
    cdef object pop(self)
    cdef int grow(self) except -1

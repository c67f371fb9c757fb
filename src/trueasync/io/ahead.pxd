cdef class ReadAhead:
    cdef char* memory           # NULL while there is nothing
    cdef Py_ssize_t capacity
    cdef Py_ssize_t start       # of what is in it
    cdef Py_ssize_t count

    cdef int make_room(self, Py_ssize_t size) except -1
    cdef char* tail(self) noexcept
    cdef void added(self, Py_ssize_t size) noexcept
    cdef int add(self, const char* data, Py_ssize_t size) except -1
    cdef Py_ssize_t find(self, bytes what, Py_ssize_t begin) except -2
    cdef bytes take(self, Py_ssize_t size)
    cdef void take_into(self, char* target, Py_ssize_t size) noexcept
    cdef void drop(self, Py_ssize_t size) noexcept

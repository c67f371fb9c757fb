from cpython.object cimport PyObject

cdef struct Entry:
    double deadline
    long long number            # first armed, first fired, where deadlines agree
    PyObject* item              # owned by the entry

cdef class TimerHeap:
    cdef Entry* entries
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef Py_ssize_t stale       # entries whose timer was stopped or armed anew
    cdef long long numbers

    cdef long long add(self, double deadline, object item) except -1
    cdef double next_deadline(self) except? -1
    cdef object pop_due(self, double now)
    cdef int mark_stale(self) except -1
    cdef int clear(self) except -1

    cdef bint is_stale(self, Py_ssize_t index) noexcept
    cdef object pop(self)
    cdef int sweep(self) except -1
    cdef int grow(self) except -1
    cdef void sift_up(self, Py_ssize_t index, Entry entry) noexcept
    cdef void sift_down(self, Py_ssize_t index, Entry entry) noexcept

from posix.signal cimport sigaction_t

cdef class Claim:
    cdef int count
    cdef object previous        # Python's handler before
    cdef sigaction_t action     # the system's before
    cdef bint taken             # there was only a default, and now there is `heard`

    cdef int take(self, int number) except -1
    cdef int give_back(self, int number) except -1


cdef dict claims
cdef int claim(int number) except -1
cdef int release(int number) except -1
cdef bint is_default(object handler) except -1

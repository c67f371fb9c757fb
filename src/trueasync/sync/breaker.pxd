from trueasync._c.python cimport flag

cdef class CircuitBreaker:
    cdef readonly int failures
    cdef readonly double pause
    cdef flag tripped           # open or half open
    cdef int in_a_row           # failures since the last success
    cdef double opened_at
    cdef object trial           # who tries, while the breaker is half open

    cdef double left(self) except? -1
    cpdef admit(self, object who)
    cpdef succeeded(self, object who)
    cpdef failed(self, object who)
    cpdef left_early(self, object who)
    cpdef open(self)
    cpdef close(self)

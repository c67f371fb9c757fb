cdef class Unbound:
    cdef object function
    cdef dict __dict__

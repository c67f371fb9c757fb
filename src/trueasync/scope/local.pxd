cdef class local:
    cdef tuple arguments
    cdef dict keywords
    cdef object threads         # the same for native threads
    cdef object __weakref__

    cdef dict names(self)
    cdef dict put_names(self)

cdef unsigned int MASK

cdef bint other_threads() except -1
cdef bint handles_signals() except -1

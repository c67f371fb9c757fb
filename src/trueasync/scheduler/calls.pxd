from trueasync.scheduler.block cimport Block

cdef class Options:
    cdef object name
    cdef int priority
    cdef object refusal         # why there is nothing to be spawned with these; None if there is
    cdef Block children         # of the scope to spawn into; None for that of whoever spawns

from trueasync.scheduler.block cimport Block

cdef class Shield(Block):
    pass

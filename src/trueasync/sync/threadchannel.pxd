from trueasync.sync.channel cimport Channel
from trueasync.sync.line cimport Turn

cdef class ThreadChannel(Channel):
    pass

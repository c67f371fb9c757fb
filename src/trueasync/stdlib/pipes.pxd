from trueasync.events.event cimport Event
from trueasync.reactor.base cimport Descriptor

cdef int wait_to_read(object file) except -1
cdef object write_in_pieces(object file, object data)
cdef int wait_for(Event event) except -1
cdef Descriptor watch(object file, int fd)
cdef object pipe_below(object file)
cdef int let_go(object file) except -1

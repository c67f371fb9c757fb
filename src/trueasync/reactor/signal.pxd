from trueasync.reactor.base cimport ReactorEvent
from trueasync.reactor.reactor cimport UvReactor

cdef class Signal(ReactorEvent):
    cdef readonly int number


cdef Signal new_signal(UvReactor reactor, int number)
cdef str name_of(int number)

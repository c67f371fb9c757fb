from trueasync.reactor.base cimport ReactorEvent
from trueasync.reactor.heap cimport TimerHeap

cdef class Timer(ReactorEvent):
    cdef readonly double delay  # seconds
    cdef long long number       # of its entry in the heap; 0 while not armed

    cdef TimerHeap heap(self)


cdef Timer new_timer(object reactor, double delay)

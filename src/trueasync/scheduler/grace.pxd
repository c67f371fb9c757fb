from trueasync.events.event cimport Event, Listener

cdef class Grace

from trueasync.scheduler.children cimport Children
from trueasync.scheduler.coroutine cimport Coroutine

cdef class Grace(Listener):
    cdef Event timer
    cdef Children children      # to insist on; or else
    cdef Coroutine coroutine

    cdef int stop(self) except -1

cdef Grace new_grace(Children children, Coroutine coroutine, double seconds)

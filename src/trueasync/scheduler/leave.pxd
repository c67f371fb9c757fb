from trueasync.events.event cimport Event
from trueasync.scheduler.children cimport Children
from trueasync.scheduler.coroutine cimport Coroutine

cdef class AllEnded(Event):
    cdef Children children

cdef Event new_all_ended(Children children)
cdef bint raise_all(
    Children children, Coroutine coroutine, object error, object own, list interruptions,
    object covered) except -1
cdef bint is_asked_from_outside(Coroutine coroutine, object error) except -1
cdef bint contains(list errors, object error) except -1

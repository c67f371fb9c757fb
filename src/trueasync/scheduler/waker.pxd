from trueasync.events.event cimport Event, Listener
from trueasync.scheduler.coroutine cimport Coroutine

cdef class Waker(Listener):
    cdef Coroutine coroutine    # until closed
    cdef readonly Event first
    cdef readonly Event second  # or None; two registrations need no list
    cdef readonly list others   # or None
    cdef int started            # how many of them have been started, in order
    cdef readonly Event winner  # None until one fired, and after a cancellation

    cdef bint start(self) except -1
    cdef close(self)
    cdef bint start_all(self) except -1
    cdef bint start_one(self, Event event) except -1
    cdef close_one(self, Event event, object failure)


cdef Waker new_waker(Coroutine coroutine, Event first, Event second, list others)

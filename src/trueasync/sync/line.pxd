from cpython.object cimport PyObject
from trueasync.events.event cimport Event
from trueasync.scheduler.coroutine cimport Coroutine

cdef class Line

cdef class Turn(Event):
    cdef Coroutine owner        # who waits, while it stands in a line
    cdef Line line              # None while it stands in none
    cdef PyObject* previous     # its neighbours; the line owns a reference to each
    cdef PyObject* following

    cdef bint give(self, object value, object error) except -1


cdef class Line:
    cdef PyObject* first
    cdef PyObject* last
    cdef readonly Py_ssize_t count

    cdef int add(self, Turn turn, Coroutine owner) except -1
    cdef int remove(self, Turn turn) except -1
    cdef Turn next_but(self, Coroutine owner)   # or None

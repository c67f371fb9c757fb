from cpython.object cimport PyObject
from trueasync.events.event cimport Event
from trueasync.scheduler.coroutine cimport Coroutine

cdef class Line

cdef enum Givers:
    COROUTINES      # of the same run
    THREADS         # and native threads, and other runs
    HANDLERS        # and signal handlers


cdef class Turn(Event):
    cdef Coroutine owner        # who waits, while it stands in a line; None for a thread
    cdef Line line              # None while it stands in none
    cdef PyObject* previous     # its neighbours; the line owns a reference to each
    cdef PyObject* following
    cdef int forks              # of this process, when it joined the line
    cdef unsigned char givers   # as its scheduler counts it

    cdef bint give(self, object value, object error) except -1
    cdef bint claim(self) except -1
    cdef int deliver(self, object value, object error) except -1
    cdef int wake(self) except -1
    cdef int disown(self) except -1
    cdef int undo(self) except -1


cdef class Line:
    cdef PyObject* first
    cdef PyObject* last
    cdef readonly Py_ssize_t count
    cdef unsigned char givers   # who may give to those who wait

    cdef int add(self, Turn turn, Coroutine owner) except -1
    cdef int remove(self, Turn turn) except -1
    cdef int unlink(self, Turn turn) except -1
    cdef int give_all(self, object value) except -1
    cdef Turn head(self)                        # or None
    cdef Turn next_but(self, Coroutine owner)   # or None


cdef Line new_line(Givers givers)

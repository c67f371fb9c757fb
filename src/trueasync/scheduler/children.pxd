from cpython.object cimport PyObject
from trueasync._c.python cimport flag
from trueasync.events.event cimport Event

cdef class Children

from trueasync.scheduler.block cimport Block
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.grace cimport Grace
from trueasync.scheduler.scheduler cimport Scheduler

cdef class Children(Block):
    cdef Scheduler scheduler
    cdef Children parent        # whose they are one of, when no `with` statement holds them
    cdef set lower              # scopes that no `with` statement holds, with children; or None
    cdef PyObject* first        # the coroutines, the oldest first; the registry owns them
    cdef PyObject* last
    cdef readonly Py_ssize_t count  # the coroutines, and the scopes of `lower`
    cdef readonly flag cancelled
    cdef flag leaving           # its body has ended
    cdef readonly flag ended    # nothing can be spawned into it any more
    cdef flag orphaned          # nobody can ask for its errors any more
    cdef object reason          # for being cancelled, in words
    cdef object handler         # of errors; None where there is none
    cdef object name            # it was given, or None
    cdef object made_code       # with made_offset: where it was made
    cdef int made_offset
    cdef readonly list failures     # nobody has raised them yet
    cdef Event empty            # fires when the last has ended; None while nobody waits
    cdef Grace grace            # when it is over, they are cancelled at every wait
    cdef readonly dict values   # shared by all in it; None while there are none

    cdef int add(self, Coroutine coroutine) except -1
    cdef int refuse(self) except -1
    cdef int hold(self, Children lower) except -1
    cdef int child_ended(self, Coroutine coroutine) except -1
    cdef int take_error(self, Coroutine coroutine) except -1
    cdef int fail(self, object error, str reason) except -1
    cdef int one_less(self) except -1
    cdef int cancel(self, str reason) except -1
    cdef int cancel_all(self, str reason, bint insists) except -1
    cdef int insist(self) except -1
    cdef int give_grace(self, double seconds) except -1
    cdef Event emptied(self)
    cdef bint leave_body(self, object error) except -1
    cdef list wait_for_all(self)
    cdef bint is_above(self, Coroutine coroutine) except -1
    cpdef str where(self)
    cpdef list coroutines(self)

cdef int cancel_each(Children children, str reason, bint insists) except -1
cdef Children new_children(object name, object handler)
cdef Children children_around(Block block)

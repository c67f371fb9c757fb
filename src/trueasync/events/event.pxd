from trueasync._c.python cimport flag

cdef class Listener:
    cdef flag closed            # told, or withdrawn: nobody calls it again

    cpdef bint notify(self, Event event) except -1
    cdef bint claim(self, Event event) except -1
    cdef int wake(self, Event event) except -1


cdef class Listeners:
    cdef list items
    cdef Py_ssize_t withdrawn   # closed listeners still in `items`

    cdef int add(self, Listener listener) except -1
    cdef int remove(self) except -1
    cdef int tell(self, Event event) except -1


cdef class Event:
    cdef readonly flag fired
    cdef readonly flag hidden   # live, but counted neither for exit nor for deadlock
    cdef readonly int starts    # waits that have started it and not yet stopped it
    cdef object value           # once fired
    cdef object error           # once fired; None where it fired with a value
    cdef Listener first         # the usual case is one listener: no list for it
    cdef Listeners others       # or None

    cpdef hide(self)
    cpdef start(self)
    cpdef stop(self)
    cpdef arm(self)
    cpdef disarm(self)
    cdef bint fire_with(self, object value, object error) except -1
    cpdef add_listener(self, Listener listener)
    cpdef remove_listener(self, Listener listener)
    cpdef outcome(self)
    cpdef str info(self)
    cpdef list held_up_by(self)

    cdef tell(self)

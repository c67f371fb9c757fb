cdef class Listener:
    cdef bint closed            # told, or withdrawn: nobody calls it again

    cpdef bint notify(self, Event event) except -1


cdef class Event:
    cdef readonly bint fired
    cdef readonly bint hidden   # live, but counted neither for exit nor for deadlock
    cdef readonly int starts    # waits that have started it and not yet stopped it
    cdef int withdrawn          # closed listeners still in `others`
    cdef object value           # once fired
    cdef object error           # once fired; None where it fired with a value
    cdef Listener first         # the usual case is one listener: no list for it
    cdef list others

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

    cdef tell(self)
    cdef tell_others(self, list others)
    cdef sweep(self)

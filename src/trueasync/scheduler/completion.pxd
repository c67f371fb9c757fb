from trueasync.events.event cimport Event, Listener

cdef class Completion(Event):
    # For subclasses: the run it belongs to, or None; and what it is, in an error.
    cdef object its_run(self)
    cdef str its_name(self)
    cdef bint ended_cancelled(self) noexcept
    cdef int refuse_to_wait(self) except -1     # raises if whoever runs here must not wait for it
    cdef object outside(self)                   # what other threads see of it; made on demand

    cdef int wait_otherwise(self, object timeout) except -1
    cdef object cancelled_error(self)


cdef class DoneCallback(Listener):
    cdef Completion completion
    cdef object function


cdef int wait_within(object run, Event event, str name, object timeout) except -1
cdef DoneCallback new_callback(Completion completion, object function)
cdef object future_class_of(object kind)

cdef class Extras:
    cdef object name            # it was given; else that of its function
    cdef dict kwargs            # until its function ends
    cdef list handlers          # switch handlers; None where there are none
    cdef object cancellation    # the Cancelled made for it as a whole, once asked to stop
    cdef object insisted        # what each of its waits raises from now on; None is the rule
    cdef object outside         # what other threads see of it; None until one looks
    cdef int shields            # how many it is inside of
    cdef bint delivered         # it has been told of its cancellation
    cdef bint insists           # again at every wait: its grace is over
    cdef object locals          # what each local() of it holds, until its function has ended

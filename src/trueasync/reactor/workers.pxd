cdef class Crew

from trueasync.reactor.thread_call cimport ThreadCall

cdef class Crew:
    cdef readonly int limit
    cdef readonly int busy      # workers it has
    cdef bint waking            # one of them has been woken and has not begun yet
    cdef object queue           # an OrderedDict of calls: any of them leaves at no cost
    cdef int generation         # of the process it works in

    cdef int give(self, ThreadCall call) except -1
    cdef int wake_one(self) except -1
    cdef int start_anew(self) except -1
    cdef int take_back(self, ThreadCall call) except -1
    cdef ThreadCall next_call(self)


cdef class Worker:
    cdef object lock            # held, except to wake it
    cdef Crew crew              # whose calls it does; None while idle, and to make it end

    cdef bint work_for(self, Crew crew) except -1


cdef int put_to_work(Crew crew) except -1
cdef Worker new_worker()
cpdef start_thread(object function, str name)
cdef int current_generation() noexcept

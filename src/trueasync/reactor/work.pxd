from trueasync._c.uv cimport uv_work_t
from trueasync.reactor.base cimport Job, Perform, ReactorEvent
from trueasync.reactor.note cimport Note

cdef struct Request:            # libuv's, from the submission until its callback
    uv_work_t work
    Note note
    Perform perform
    void* data

cdef void on_work(uv_work_t* work) noexcept nogil
cdef void on_worked(uv_work_t* work, int status) noexcept nogil
cdef int tell_work(void* owner, int status, int events) except -1

cdef class Work(ReactorEvent):
    cdef Job job
    cdef Request* request       # NULL unless it is in flight
    cdef bint done

    cdef int submit(self) except -1
    cdef int complete(self, int status) except -1


cdef Work new_work(object reactor, Job job)

from trueasync._c.uv cimport uv_handle_t, uv_poll_t
from trueasync.reactor.base cimport Descriptor, Readiness
from trueasync.reactor.note cimport Note
from trueasync.reactor.reactor cimport UvReactor

cdef struct Watch:              # libuv's, until its close callback frees it
    uv_poll_t handle
    Note note

cdef void on_ready(uv_poll_t* handle, int status, int events) noexcept nogil
cdef void on_watch_closed(uv_handle_t* handle) noexcept nogil
cdef int tell_descriptor(void* owner, int status, int events) except -1

cdef class UvDescriptor

cdef class Poll(Readiness):
    cdef UvDescriptor watched
    cdef int direction          # READABLE or WRITABLE
    cdef bint ahead             # it has had its turn in vain: it goes before the others
    cdef Poll previous          # links of the line it stands in
    cdef Poll following


cdef class Line:
    cdef Poll first
    cdef Poll last

    cdef int join(self, Poll poll) except -1
    cdef int leave(self, Poll poll) except -1


cdef class UvDescriptor(Descriptor):
    cdef UvReactor reactor
    cdef Watch* watch
    cdef Line readers
    cdef Line writers
    cdef int armed              # what libuv looks for
    cdef unsigned long long device  # with inode: the number may come to name another file
    cdef unsigned long long inode

    cdef int await_turn(self, Poll poll) except -1
    cdef int report(self, int status, int events) except -1
    cdef int report_one(self, Line line, int direction) except -1
    cdef int watch_for(self, int wanted) except -1
    cdef int fire_all(self, object error) except -1


cdef UvDescriptor new_descriptor(UvReactor reactor, int fd)
cdef bint names_the_same(UvDescriptor descriptor) noexcept

from trueasync._c.uv cimport uv_poll_t
from trueasync.reactor.note cimport Note

cdef class Signals

from trueasync.reactor.reactor cimport UvReactor
from trueasync.reactor.signal cimport Signal

cdef struct SignalPipe:
    Note note
    int reader
    int previous                # the wake-up descriptor before ours, or -1
    unsigned long long device   # with inode: what that was
    unsigned long long inode
    bint awaited[65]            # by number
    bint arrived[65]            # and not yet reported

cdef void on_signal(uv_poll_t* handle, int status, int events) noexcept nogil
cdef int tell_signals(void* owner, int status, int events) except -1
cdef bint is_still_there(SignalPipe* pipe) noexcept nogil
cdef int restore(int descriptor) except -1


cdef class SignalLine:
    cdef dict events            # a set in order: Signal -> None
    cdef int telling            # it is being gone through: keep it, though it may be empty


cdef class Signals:
    cdef uv_poll_t handle
    cdef SignalPipe pipe
    cdef int writer
    cdef dict lines             # number -> SignalLine
    cdef bint open

    cdef int watch(self, UvReactor reactor) except -1
    cdef int pass_on_to(self, int previous) except -1
    cdef int join(self, UvReactor reactor, Signal event) except -1
    cdef int keep_descriptor(self) except -1
    cdef int leave(self, UvReactor reactor, Signal event) except -1
    cdef int drop_if_empty(self, UvReactor reactor, int number, SignalLine line) except -1
    cdef int report(self) except -1
    cdef int report_one(self, int number, SignalLine line) except -1
    cdef int close(self) except -1

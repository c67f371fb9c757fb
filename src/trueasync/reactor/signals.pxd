from trueasync._c.uv cimport uv_loop_t, uv_poll_t

cdef void on_signal(uv_poll_t* handle, int status, int events) noexcept nogil

cdef class SignalWakeup:
    cdef uv_poll_t handle
    cdef int reader
    cdef int writer
    cdef int previous           # the wake-up descriptor before ours, or -1
    cdef bint open

    cdef int watch(self, uv_loop_t* loop) except -1
    cdef int close(self) except -1

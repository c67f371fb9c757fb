# libuv, in the order of its manual. Only reactor/ may cimport this file.

cdef extern from "uv.h" nogil:
    int UV_EOF

    ctypedef enum uv_run_mode:
        UV_RUN_DEFAULT
        UV_RUN_ONCE
        UV_RUN_NOWAIT

    ctypedef struct uv_loop_t:
        void* data

    ctypedef struct uv_handle_t:
        void* data
        uv_loop_t* loop

    ctypedef struct uv_timer_t:
        void* data
        uv_loop_t* loop

    ctypedef struct uv_poll_t:
        void* data

    enum:
        UV_READABLE

    ctypedef void (*uv_close_cb)(uv_handle_t* handle) noexcept with gil
    ctypedef void (*uv_timer_cb)(uv_timer_t* handle) noexcept nogil
    ctypedef void (*uv_poll_cb)(uv_poll_t* handle, int status, int events) noexcept with gil

    const char* uv_strerror(int error)
    const char* uv_version_string()

    int uv_loop_init(uv_loop_t* loop)
    int uv_loop_close(uv_loop_t* loop)
    int uv_run(uv_loop_t* loop, uv_run_mode mode)
    void uv_stop(uv_loop_t* loop)
    void uv_update_time(uv_loop_t* loop)
    unsigned long long uv_hrtime()

    void uv_close(uv_handle_t* handle, uv_close_cb callback)
    void uv_unref(uv_handle_t* handle)

    int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle)
    int uv_timer_start(uv_timer_t* handle, uv_timer_cb callback,
                       unsigned long long delay, unsigned long long repeat)
    int uv_timer_stop(uv_timer_t* handle)

    int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd)
    int uv_poll_start(uv_poll_t* handle, int events, uv_poll_cb callback)
    int uv_poll_stop(uv_poll_t* handle)

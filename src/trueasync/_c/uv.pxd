# libuv, in the order of its manual. Only reactor/ may cimport this file.
from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint64_t
from posix.types cimport mode_t

cdef extern from "uv.h" nogil:
    # -- errors
    int UV_EOF, UV_EBADF, UV_ECANCELED

    const char* uv_strerror(int error)
    const char* uv_err_name(int error)
    const char* uv_version_string()

    # -- the loop
    ctypedef enum uv_run_mode:
        UV_RUN_DEFAULT
        UV_RUN_ONCE
        UV_RUN_NOWAIT

    ctypedef struct uv_loop_t:
        void* data

    int uv_loop_init(uv_loop_t* loop)
    int uv_loop_close(uv_loop_t* loop)
    int uv_loop_fork(uv_loop_t* loop)
    int uv_run(uv_loop_t* loop, uv_run_mode mode)
    void uv_stop(uv_loop_t* loop)
    void uv_update_time(uv_loop_t* loop)
    unsigned long long uv_hrtime()

    # -- handles
    ctypedef struct uv_handle_t:
        void* data
        uv_loop_t* loop

    ctypedef void (*uv_close_cb)(uv_handle_t* handle) noexcept nogil

    void uv_close(uv_handle_t* handle, uv_close_cb callback)
    void uv_unref(uv_handle_t* handle)
    int uv_is_closing(const uv_handle_t* handle)

    # -- requests
    ctypedef struct uv_req_t:
        void* data

    int uv_cancel(uv_req_t* request)

    # -- uv_timer_t
    ctypedef struct uv_timer_t:
        void* data
        uv_loop_t* loop

    ctypedef void (*uv_timer_cb)(uv_timer_t* handle) noexcept nogil

    int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle)
    int uv_timer_start(uv_timer_t* handle, uv_timer_cb callback,
                       unsigned long long delay, unsigned long long repeat)
    int uv_timer_stop(uv_timer_t* handle)

    # -- uv_async_t
    ctypedef struct uv_async_t:
        void* data
        uv_loop_t* loop

    ctypedef void (*uv_async_cb)(uv_async_t* handle) noexcept nogil

    int uv_async_init(uv_loop_t* loop, uv_async_t* handle, uv_async_cb callback)
    int uv_async_send(uv_async_t* handle)

    # -- uv_poll_t
    ctypedef struct uv_poll_t:
        void* data
        uv_loop_t* loop

    enum:
        UV_READABLE
        UV_WRITABLE

    ctypedef void (*uv_poll_cb)(uv_poll_t* handle, int status, int events) noexcept nogil

    int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd)
    int uv_poll_start(uv_poll_t* handle, int events, uv_poll_cb callback)
    int uv_poll_stop(uv_poll_t* handle)

    # -- uv_signal_t
    ctypedef struct uv_signal_t:
        void* data
        uv_loop_t* loop

    ctypedef void (*uv_signal_cb)(uv_signal_t* handle, int number) noexcept nogil

    int uv_signal_init(uv_loop_t* loop, uv_signal_t* handle)
    int uv_signal_start(uv_signal_t* handle, uv_signal_cb callback, int number)
    int uv_signal_stop(uv_signal_t* handle)

    # -- uv_fs_event_t
    ctypedef struct uv_fs_event_t:
        void* data
        uv_loop_t* loop

    enum:
        UV_RENAME
        UV_CHANGE

    ctypedef void (*uv_fs_event_cb)(uv_fs_event_t* handle, const char* filename,
                                    int events, int status) noexcept nogil

    int uv_fs_event_init(uv_loop_t* loop, uv_fs_event_t* handle)
    int uv_fs_event_start(uv_fs_event_t* handle, uv_fs_event_cb callback,
                          const char* path, unsigned int flags)
    int uv_fs_event_stop(uv_fs_event_t* handle)

    # -- uv_fs_t
    ctypedef struct uv_buf_t:
        char* base
        size_t len

    ctypedef struct uv_fs_t:
        void* data
        uv_loop_t* loop
        ssize_t result
        void* ptr

    ctypedef void (*uv_fs_cb)(uv_fs_t* request) noexcept nogil

    uv_buf_t uv_buf_init(char* base, unsigned int length)
    void uv_fs_req_cleanup(uv_fs_t* request)
    int uv_fs_open(uv_loop_t* loop, uv_fs_t* request, const char* path, int flags, int mode,
                   uv_fs_cb callback)
    int uv_fs_close(uv_loop_t* loop, uv_fs_t* request, int fd, uv_fs_cb callback)
    int uv_fs_read(uv_loop_t* loop, uv_fs_t* request, int fd, const uv_buf_t* buffers,
                   unsigned int count, int64_t offset, uv_fs_cb callback)
    int uv_fs_write(uv_loop_t* loop, uv_fs_t* request, int fd, const uv_buf_t* buffers,
                    unsigned int count, int64_t offset, uv_fs_cb callback)
    int uv_fs_fsync(uv_loop_t* loop, uv_fs_t* request, int fd, uv_fs_cb callback)
    int uv_fs_ftruncate(uv_loop_t* loop, uv_fs_t* request, int fd, int64_t size,
                        uv_fs_cb callback)
    int uv_fs_sendfile(uv_loop_t* loop, uv_fs_t* request, int out_fd, int in_fd,
                       int64_t offset, size_t length, uv_fs_cb callback)

    # -- the thread pool
    ctypedef struct uv_work_t:
        void* data

    ctypedef void (*uv_work_cb)(uv_work_t* request) noexcept nogil
    ctypedef void (*uv_after_work_cb)(uv_work_t* request, int status) noexcept nogil

    int uv_queue_work(uv_loop_t* loop, uv_work_t* request, uv_work_cb work,
                      uv_after_work_cb after)

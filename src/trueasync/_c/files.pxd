# System calls on files that say EAGAIN where others would wait for a disk.
from posix.types cimport off_t

cdef extern from "files.h" nogil:
    struct iovec:
        void* iov_base
        size_t iov_len

    # Each gives what the call returned, or -errno.
    int trueasync_open_cached(const char* path, int flags)
    ssize_t trueasync_read_cached(int fd, void* to, size_t size, off_t offset)
    ssize_t trueasync_load_cached(int fd, void* to, size_t size)
    ssize_t trueasync_read_at(int fd, char* to, size_t size, off_t offset)
    ssize_t trueasync_write_at(int fd, const iovec* pieces, int count, off_t offset)
    ssize_t trueasync_send_file(int to, int source, off_t offset, size_t size)
    ssize_t trueasync_result(ssize_t result)

/* System calls on files that say EAGAIN where others would wait for a disk.
   All give what the call returned, or -errno. */
#ifndef TRUEASYNC_FILES_H
#define TRUEASYNC_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/sendfile.h>

struct trueasync_open_how {  /* struct open_how of linux/openat2.h, which may be missing */
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};
#endif

static inline ssize_t trueasync_result(ssize_t result) {
    return result < 0 ? -errno : result;
}

/* Open for reading what the kernel finds without a look at the disk. */
static inline int trueasync_open_cached(const char *path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
    const uint64_t resolve_cached = 0x20;
    struct trueasync_open_how how = {(uint64_t)flags, 0, resolve_cached};
    return (int)trueasync_result(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
#else
    return -EAGAIN;
#endif
}

/* Read what is in the page cache. */
static inline ssize_t trueasync_read_cached(int fd, void *to, size_t size, off_t offset) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    struct iovec piece = {to, size};
    return trueasync_result(preadv2(fd, &piece, 1, offset, RWF_NOWAIT));
#else
    return -EAGAIN;
#endif
}

/* Read all of a file of `size` bytes, if it is in the page cache and really that long. */
static inline ssize_t trueasync_load_cached(int fd, void *to, size_t size) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    char beyond;
    struct iovec pieces[2] = {{to, size}, {&beyond, 1}};
    ssize_t got = trueasync_result(preadv2(fd, pieces, 2, 0, RWF_NOWAIT));
    return got == (ssize_t)size || got < 0 ? got : -EAGAIN;
#else
    return -EAGAIN;
#endif
}

/* Read all of `size` bytes, if there are so many. */
static inline ssize_t trueasync_read_at(int fd, char *to, size_t size, off_t offset) {
    size_t got = 0;
    while (got < size) {
        ssize_t more = pread(fd, to + got, size - got, offset + (off_t)got);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0 && got == 0) return -errno;
        if (more <= 0) break;
        got += (size_t)more;
    }
    return (ssize_t)got;
}

/* Write at `offset`, or where the file stands if that is -1. */
static inline ssize_t trueasync_write_at(
    int fd, const struct iovec *pieces, int count, off_t offset) {
    ssize_t result;
    do {
        result = offset < 0 ? writev(fd, pieces, count) : pwritev(fd, pieces, count, offset);
    } while (result < 0 && errno == EINTR);
    return trueasync_result(result);
}

/* From a file to a socket, within the kernel. */
static inline ssize_t trueasync_send_file(int to, int from, off_t offset, size_t size) {
#if defined(__linux__)
    ssize_t result;
    do {
        result = sendfile(to, from, &offset, size);
    } while (result < 0 && errno == EINTR);
    return trueasync_result(result);
#else
    return -ENOSYS;
#endif
}

#endif

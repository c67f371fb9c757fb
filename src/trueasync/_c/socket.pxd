# Sockets and descriptors of the system, in the order of use. Only io/ may cimport this file.
from libc.stddef cimport size_t

cdef extern from *:
    """
    #include <errno.h>
    #include <fcntl.h>
    #include <sys/socket.h>
    #include <sys/uio.h>
    #include <unistd.h>

    #ifndef MSG_NOSIGNAL
    #define MSG_NOSIGNAL 0      /* Python ignores SIGPIPE anyway */
    #endif

    /* A connection that does not block and does not survive exec, or -1 with errno. */
    static inline int trueasync_accept(
        int listener, struct sockaddr_storage *peer, socklen_t *size) {
    #ifdef SOCK_CLOEXEC
        return accept4(listener, (struct sockaddr *)peer, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    #else
        int fd = accept(listener, (struct sockaddr *)peer, size);
        if (fd >= 0) {
            fcntl(fd, F_SETFD, FD_CLOEXEC);
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        }
        return fd;
    #endif
    }
    """

cdef extern from "sys/socket.h" nogil:
    int MSG_DONTWAIT, MSG_NOSIGNAL, MSG_PEEK
    int SHUT_RD, SHUT_WR, SHUT_RDWR

    struct iovec:
        void* iov_base
        size_t iov_len

    struct msghdr:
        iovec* msg_iov
        size_t msg_iovlen

    ctypedef unsigned int socklen_t

    struct sockaddr_storage:
        pass

    int trueasync_accept(int listener, sockaddr_storage* peer, socklen_t* size)
    ssize_t recv(int fd, void* target, size_t size, int flags)
    ssize_t send(int fd, const void* source, size_t size, int flags)
    ssize_t sendmsg(int fd, const msghdr* message, int flags)
    int shutdown(int fd, int how)

cdef extern from "unistd.h" nogil:
    ssize_t read(int fd, void* target, size_t size)
    ssize_t write(int fd, const void* source, size_t size)
    ssize_t writev(int fd, const iovec* parts, int count)
    int close(int fd)

# poll(2) of one descriptor. Only stdlib/pipes.py may cimport this file.

cdef extern from *:
    """
    #include <poll.h>

    /* Whether a read (or a write) of fd would not block now; also when it would fail. */
    static inline int trueasync_is_ready(int fd, int writing) {
        struct pollfd asked = {fd, writing ? POLLOUT : POLLIN, 0};
        return poll(&asked, 1, 0) != 0;
    }
    """
    bint trueasync_is_ready(int fd, bint writing) nogil

from trueasync.stdlib.watched cimport Watched

cdef Py_ssize_t receive_from(
    object socket, Watched watched, char* target, Py_ssize_t size, int flags) except? -1
cdef Py_ssize_t write(
    Watched watched, object data, int flags, double timeout, bint everything) except? -1
cdef object kept(object buffers)
cdef object call(object socket, object method, tuple arguments, int direction)
cdef int connect_now(object socket, Watched watched, object address) except? -2
cdef bint nap(double deadline) except -1
cdef object stay_nonblocking(object socket)
cdef Watched watched_here(object socket)
cdef int wait_for(Watched watched, int direction, double deadline) except -1
cdef double seconds(object timeout) except? -2.0
cdef double deadline_of(object timeout) except? -2.0
cdef object failure(Py_ssize_t status)
cdef object native(object method, object socket, tuple arguments, int direction)

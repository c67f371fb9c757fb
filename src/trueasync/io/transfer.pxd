from trueasync.events.event cimport Event
from trueasync.reactor.base cimport Descriptor, Readiness

cdef int NO_SOCKET
cdef Py_ssize_t TIMED_OUT, CLOSED

cdef Py_ssize_t receive(
    Descriptor descriptor, char* target, Py_ssize_t size, int flags, double timeout) except? -1
cdef Py_ssize_t receive_within(
    Readiness event, Descriptor descriptor, char* target, Py_ssize_t size, int flags,
    double timeout) except? -1
cdef Py_ssize_t send(
    Descriptor descriptor, const char* source, Py_ssize_t size, int flags,
    double timeout) except? -1
cdef Py_ssize_t send_all(
    Descriptor descriptor, const char* source, Py_ssize_t size, int flags,
    double timeout) except? -1
cdef Py_ssize_t try_receive(
    Descriptor descriptor, char* target, Py_ssize_t size, int flags) except? -1
cdef Py_ssize_t try_send(
    Descriptor descriptor, const char* source, Py_ssize_t size, int flags) except? -1
cdef int give_way() except -1
cdef bint looks_only(int flags) noexcept
cdef double deadline_after(double timeout) except? -2.0
cdef bint fires_before(Event event, double deadline) except -1
cdef Py_ssize_t refuse(Descriptor descriptor, Event event) except? -1

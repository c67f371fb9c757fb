from trueasync.io.descriptor_stream cimport DescriptorStream

cdef class SocketStream(DescriptorStream):
    cdef str name               # the peer's address in words; None or "" if not known yet
    cdef bytes raw              # that address as the system gave it; None if it did not

    cdef object ask(self, str method, tuple arguments)


cdef int accept_now(int listener, SocketStream taken) except -1

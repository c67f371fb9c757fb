from trueasync.io.errand cimport Errand
from trueasync.io.stream cimport Stream

cdef class TlsStream(Stream):
    cdef readonly Stream inner  # what the encrypted bytes go through; None once unwrapped
    cdef readonly object engine  # the ssl.SSLObject
    cdef object incoming        # encrypted bytes for it
    cdef object outgoing        # and from it
    cdef object engine_read
    cdef object engine_write
    cdef object engine_pending
    cdef object wants_read      # ssl.SSLWantReadError, and its kin: ssl is dear to import
    cdef object zero_return
    cdef object tls_error
    cdef object failure         # what decrypting has failed with, for ever
    cdef Errand fetching
    cdef Errand flushing
    cdef bint ended             # the peer knows that nothing more comes from here
    cdef bint peer_ended        # and we know it of the peer
    cdef bint broken            # half a record may have gone out: none can follow

    cdef Py_ssize_t fill(self, object view, Py_ssize_t size) except -1
    cdef int answer(self) except -1
    cdef Py_ssize_t decrypt(self, object view, Py_ssize_t size) except -1
    cdef Py_ssize_t decrypt_more(self, object view) except -1
    cdef bint has_some(self) except -1
    cdef int fetch_records(self) except -1
    cdef Py_ssize_t encrypt(self, object data) except -1
    cdef int flush_records(self) except -1
    cdef int refuse_if_broken(self) except -1
    cdef drive(self, object call)
    cdef int say_goodbye(self) except -1
    cdef int expect_the_end(self) except -1
    cdef int part(self) except -1
    cdef explain(self, object error)

from posix.types cimport mode_t
from cpython.buffer cimport Py_buffer
from trueasync._c.files cimport iovec
from trueasync.reactor.base cimport Job, Perform

cdef enum:
    # Copying more than this takes longer than a thread of the pool takes to begin.
    MOST_AT_ONCE = 0x40000

cdef struct Call:               # what a thread of the pool works on: no Python object
    int fd
    int flags
    int mode                    # of a file that is made
    int other                   # the second descriptor of a call that has two
    const char* path            # borrowed of the job
    char* memory
    size_t size
    long long offset
    iovec* pieces
    int count
    ssize_t result              # what the system call returned, or -errno
    mode_t kind                 # what was opened: st_mode
    long long length            # of the file, when it was opened

cdef void perform_nothing(void* data) noexcept nogil
cdef void perform_open(void* data) noexcept nogil
cdef void perform_close(void* data) noexcept nogil
cdef void perform_sync(void* data) noexcept nogil
cdef void perform_data_sync(void* data) noexcept nogil
cdef void perform_truncate(void* data) noexcept nogil
cdef void perform_send(void* data) noexcept nogil
cdef void perform_read(void* data) noexcept nogil
cdef void perform_write(void* data) noexcept nogil
cdef void look_at(Call* call) noexcept nogil

cdef class FileJob(Job):
    cdef Call call
    cdef readonly object path   # for messages: what the user gave
    cdef public object owner    # is told when it has landed; or None
    cdef str verb
    cdef bytes encoded          # what `call.path` points into

    cpdef bint try_now(self) except -1
    cpdef outcome(self)
    cdef int set_path(self, object path) except -1
    cdef int forget(self) except -1
    cdef error(self)


cdef class OpenJob(FileJob):
    pass


cdef class ReadJob(FileJob):
    cdef bytes read             # not yet seen by anyone: filled in place

    cdef int shrink(self) except -1


cdef class WriteJob(FileJob):
    cdef Py_buffer* views
    cdef int viewed             # the pieces that are locked


cdef int release(WriteJob job) except -1
cdef FileJob file_job(Perform perform, str verb, object path, int fd)

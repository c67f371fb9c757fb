from trueasync.io.jobs cimport Call, OpenJob, WriteJob

cdef enum:
    MOST_IN_ONE_JOB = 0x100000  # a longer file is read in place, without copying it once more

cdef void perform_load(void* data) noexcept nogil
cdef void perform_store(void* data) noexcept nogil
cdef ssize_t load(Call* call) noexcept nogil
cdef ssize_t store(Call* call) noexcept nogil
cdef void end(Call* call, ssize_t result) noexcept nogil

cdef class LoadJob(OpenJob):
    cdef bytes loaded


cdef class StoreJob(WriteJob):
    pass

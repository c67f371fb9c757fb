cdef void* allocate(void* ctx, size_t size) noexcept nogil
cdef void deallocate(void* ctx, void* block, size_t size) noexcept nogil
cpdef bint arena_install() except -1
cpdef int arena_release(Py_ssize_t keep) except -1

# The system calls and CPython hooks of the arena cache. Only scheduler/arena.py may cimport this.

cdef extern from "Python.h":
    ctypedef struct PyObjectArenaAllocator:
        void* ctx
        void* (*alloc)(void* ctx, size_t size) noexcept nogil
        void (*free)(void* ctx, void* block, size_t size) noexcept nogil

    void PyObject_GetArenaAllocator(PyObjectArenaAllocator* allocator)
    void PyObject_SetArenaAllocator(PyObjectArenaAllocator* allocator)

cdef extern from "sys/mman.h" nogil:
    int PROT_READ, PROT_WRITE, MAP_PRIVATE, MAP_ANONYMOUS, MADV_DONTNEED
    void* MAP_FAILED
    void* mmap(void* address, size_t length, int protection, int flags, int fd, long offset)
    int madvise(void* address, size_t length, int advice)

cdef extern from * nogil:
    """
    #include <sys/mman.h>
    #include <pthread.h>

    #ifndef MAP_NORESERVE
    #define MAP_NORESERVE 0
    #endif
    #ifndef MADV_NOHUGEPAGE
    #define MADV_NOHUGEPAGE MADV_NORMAL
    #endif

    static pthread_mutex_t trueasync_arena_mutex = PTHREAD_MUTEX_INITIALIZER;
    static void arena_lock(void) { pthread_mutex_lock(&trueasync_arena_mutex); }
    static void arena_unlock(void) { pthread_mutex_unlock(&trueasync_arena_mutex); }
    /* A child of fork() has only the thread that forked: nobody would unlock it there. */
    static int arena_lock_over_fork(void) {
        return pthread_atfork(arena_lock, arena_unlock, arena_unlock);
    }
    """
    int MAP_NORESERVE, MADV_NOHUGEPAGE
    void arena_lock()
    void arena_unlock()
    int arena_lock_over_fork()

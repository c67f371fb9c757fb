"""The arena cache: cheap memory for the Python frames of contexts.

From 3.11 on, CPython maps and unmaps a 16 KiB chunk for each greenlet, which is most of
what a greenlet costs, and enough of them run into the system's limit on mappings.
Here such chunks come from one large reserved range instead, and go back to a free list.
Everything else passes through to the allocator that was there before.

Rules of this file:
1. A chunk may be freed without the GIL (when a thread ends), hence the mutex.
2. Once installed it stays: chunks are alive, and only we know how to free them.
"""

import sys

import cython
from cython.cimports.libc.stdint import uint32_t
from cython.cimports.trueasync._c.arena import (
    MADV_DONTNEED,
    MADV_NOHUGEPAGE,
    MAP_ANONYMOUS,
    MAP_FAILED,
    MAP_NORESERVE,
    MAP_PRIVATE,
    PROT_READ,
    PROT_WRITE,
    PyObject_GetArenaAllocator,
    PyObject_SetArenaAllocator,
    PyObjectArenaAllocator,
    arena_lock,
    arena_lock_over_fork,
    arena_unlock,
    madvise,
    mmap,
)

# CPython's DATA_STACK_CHUNK_SIZE; its other arenas are much larger.
CHUNK = cython.declare(cython.size_t, 16 * 1024)
# 16 GiB of addresses, not of memory: a million contexts. What exceeds it passes through.
CHUNKS = cython.declare(cython.size_t, 1024 * 1024)

before = cython.declare(PyObjectArenaAllocator)
base = cython.declare(cython.p_char, cython.NULL)
# Free chunks by number: `warm` ones hold memory, `cold` ones have given it back.
warm = cython.declare(cython.pointer(uint32_t), cython.NULL)
cold = cython.declare(cython.pointer(uint32_t), cython.NULL)
warm_count = cython.declare(cython.size_t, 0)
cold_count = cython.declare(cython.size_t, 0)
fresh = cython.declare(cython.size_t, 0)  # chunks from here on have never been used


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def reserve(size: cython.size_t) -> cython.p_void:
    flags: cython.int = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    block: cython.p_void = mmap(cython.NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    return cython.NULL if block == MAP_FAILED else block


@cython.ccall
@cython.exceptval(-1, check=False)
def arena_install() -> cython.bint:
    """Serve chunks from now on; False where that is not possible or of no use.

    Never suspends. Safe from any thread that holds the GIL.
    """
    global base, warm, cold
    if base != cython.NULL:
        return True
    if sys.version_info < (3, 11):
        return False  # frames are ordinary objects there
    numbers: cython.size_t = CHUNKS * cython.sizeof(uint32_t)
    block: cython.p_void = reserve(CHUNK * CHUNKS)
    lists: cython.p_void = reserve(2 * numbers)
    if block == cython.NULL or lists == cython.NULL:
        return False  # limited address space: go on without
    # A huge page would give each chunk all of its 16 KiB, where most use 4.
    madvise(block, CHUNK * CHUNKS, MADV_NOHUGEPAGE)
    arena_lock_over_fork()
    warm = cython.cast(cython.pointer(uint32_t), lists)
    cold = warm + CHUNKS
    base = cython.cast(cython.p_char, block)
    ours: PyObjectArenaAllocator
    PyObject_GetArenaAllocator(cython.address(before))
    ours.ctx = cython.NULL
    ours.alloc = allocate
    ours.free = deallocate
    PyObject_SetArenaAllocator(cython.address(ours))
    return True


def allocate(ctx, size):
    global warm_count, cold_count, fresh
    number: cython.size_t = CHUNKS
    if size == CHUNK:
        arena_lock()
        if warm_count > 0:
            warm_count -= 1
            number = warm[warm_count]
        elif cold_count > 0:
            cold_count -= 1
            number = cold[cold_count]
        elif fresh < CHUNKS:
            number = fresh
            fresh += 1
        arena_unlock()
    if number == CHUNKS:
        return before.alloc(before.ctx, size)
    return base + number * CHUNK


def deallocate(ctx, block, size):
    global warm_count
    address: cython.p_char = cython.cast(cython.p_char, block)
    if size != CHUNK or address < base or address >= base + CHUNK * CHUNKS:
        before.free(before.ctx, block, size)
        return
    arena_lock()
    warm[warm_count] = cython.cast(uint32_t, cython.cast(cython.size_t, address - base) // CHUNK)
    warm_count += 1
    arena_unlock()


@cython.ccall
@cython.exceptval(-1, check=False)
def arena_release(keep: cython.Py_ssize_t) -> cython.int:
    """Give the memory of free chunks back to the system, except of `keep`. Never suspends."""
    global warm_count, cold_count
    if base == cython.NULL:
        return 0
    arena_lock()
    while warm_count > cython.cast(cython.size_t, keep):
        warm_count -= 1
        madvise(base + warm[warm_count] * CHUNK, CHUNK, MADV_DONTNEED)
        cold[cold_count] = warm[warm_count]
        cold_count += 1
    arena_unlock()
    return 0


def arena_stats() -> dict:
    """How many chunks are in use, free, and free without memory. Never suspends."""
    return {
        "arena_chunks_in_use": fresh - warm_count - cold_count,
        "arena_chunks_warm": warm_count,
        "arena_chunks_cold": cold_count,
    }

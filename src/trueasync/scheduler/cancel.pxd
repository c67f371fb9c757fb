from trueasync.scheduler.block cimport Block
from trueasync.scheduler.coroutine cimport Coroutine

cdef bint cancel_coroutine(Coroutine coroutine, object cancellation, bint again) except -1
cdef bint cancel_block(Block block, object cancellation) except -1
cdef int insist_on_coroutine(Coroutine coroutine) except -1
cdef int insist_on_block(Block block) except -1
cdef int ask(Coroutine coroutine, Block block, object cancellation, bint insists) except -1
cdef int deliver(Coroutine coroutine, Block block, object cancellation, bint insists) except -1
cdef Block outermost_shield(Coroutine coroutine, Block until)   # or None
cdef int cover(
    Coroutine coroutine, Block first, Block until, object cancellation, bint insists) except -1
cdef int settle(Coroutine coroutine) except -1
cdef int keep_off(Coroutine coroutine) except -1

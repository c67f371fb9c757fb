from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.scheduler.ring cimport Ring

cdef class ReadyQueue(Ring):
    cdef object order           # test only: chooses who is next; None means first come

    cdef int put(self, Coroutine coroutine) except -1
    cdef Coroutine take(self)   # or None

from trueasync.sync.items cimport Items
from trueasync.sync.line cimport Line, Turn

cdef class SimpleQueue

cdef class Item(Turn):
    cdef SimpleQueue queue


cdef class SimpleQueue:
    cdef Items items
    cdef Line getters           # empty as long as there are items
    cdef object __weakref__

    cdef int push(self, object item) except -1
    cdef object wait(self, object timeout)
    cdef int put_back(self, object item) except -1

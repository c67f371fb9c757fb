from trueasync._c.python cimport flag
from trueasync.sync.condition cimport Condition
from trueasync.sync.line cimport Line, Turn

cdef class Event

cdef class Signal(Turn):
    cdef Event event


cdef class Event:
    cdef flag up
    cdef Line waiting
    cdef Condition condition    # None until somebody asks for it
    cdef object __weakref__

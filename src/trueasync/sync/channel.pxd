from cpython.object cimport PyObject
from trueasync.scheduler.coroutine cimport Coroutine
from trueasync.sync.items cimport Items
from trueasync.sync.line cimport Line, Turn

cdef class Channel

cdef class Receiving(Turn):
    cdef Channel channel


cdef class Sending(Turn):
    cdef Channel channel
    cdef object item            # until somebody has taken it


cdef class SendCase:
    cdef readonly Channel channel
    cdef readonly object value


cdef class Channel:
    cdef readonly Py_ssize_t capacity
    cdef readonly bint closed
    cdef readonly object reason     # it was closed with; None for a normal close
    cdef str closed_at
    cdef Items items
    cdef Line receivers             # empty as long as there is anything to receive
    cdef Line senders               # empty as long as there is room
    cdef PyObject* run              # the scheduler of those who wait; never followed
    cdef object __weakref__

    cdef int enter(self) except -1
    cdef int wait(self, Turn turn, str call) except -1
    cdef int change_run(self, PyObject* run) except -1
    cdef object take(self, Coroutine owner)
    cdef object take_from_senders(self, Coroutine owner)
    cdef bint offer(self, object value, Coroutine owner) except -1
    cdef int put_back(self, object value) except -1
    cdef object ended(self)


cdef object NOTHING
cdef Receiving new_receiving(Channel channel)
cdef Sending new_sending(Channel channel, object value)

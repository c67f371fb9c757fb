from trueasync._c.python cimport flag
from trueasync.sync.condition cimport Condition
from trueasync.sync.line cimport Line, Turn
from trueasync.sync.lock cimport Lock

cdef class Queue

from trueasync.sync.exchange cimport Exchange

cdef class Queue:
    cdef public Py_ssize_t maxsize
    cdef public Py_ssize_t unfinished_tasks
    cdef readonly flag is_shutdown
    cdef flag hooked            # a subclass keeps the items, in its own way
    cdef object items           # the container
    cdef readonly Lock mutex
    cdef Line getters           # empty as long as there are items
    cdef Line putters           # empty as long as there is room
    cdef Line joiners
    cdef Condition tasks_done   # None until somebody asks for it
    cdef object __weakref__

    cdef bint enter(self) except -1
    cdef int leave(self, bint locked) except -1
    cdef bint offer(self, object item) except -1
    cdef bint offer_now(self, object item) except -1
    cdef object take(self)
    cdef object take_now(self)
    cdef int serve_getters(self) except -1
    cdef int serve_putters(self) except -1
    cdef int put_back(self, object item) except -1
    cdef bint wait_to_put(self, object item, object timeout) except -1
    cdef object wait_to_get(self, object timeout)
    cdef bint wait(self, Exchange turn, object timeout) except -1
    cdef Py_ssize_t size(self) except -1
    cdef int store(self, object item) except -1
    cdef object fetch(self)


cdef bint may_wait(bint block, object timeout) except -1
cdef bint has_hooks(type kind) except -1
cdef object error_of_queue(str name)

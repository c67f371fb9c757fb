from cpython.object cimport PyObject
from trueasync._c.greenlet cimport greenlet

cdef class Context

from trueasync.scheduler.coroutine cimport Coroutine

cdef class Context:
    cdef greenlet stack
    cdef Coroutine coroutine    # the one it runs; None while idle, and to make it end

cdef Context new_context()
cdef object frame_of(object stack)
cdef list frames_of(object stack, object home)
cdef object current_stack()
cdef int switch(PyObject* stack) noexcept
cdef bint is_switch_error(object error) except -1
cdef object take_error()

# CPython calls that Cython's own declarations lack.
from cpython.object cimport PyObject

cdef extern from "frame.h":
    ctypedef struct PyFrameObject:
        pass
    PyFrameObject* PyEval_GetFrame()                    # borrowed, or NULL
    object trueasync_frame_code(PyFrameObject* frame)
    int trueasync_frame_offset(PyFrameObject* frame)
    object trueasync_qualname(object function)

cdef extern from "call.h":
    PyObject* trueasync_take_error()
    PyObject* trueasync_call(
        PyObject* function, PyObject* args, PyObject* kwargs, PyObject** error)

cdef extern from "Python.h":
    void PyObject_GC_Track(object item)
    bint PyObject_GC_IsTracked(object item)
    void PyObject_GC_UnTrack(object item)
    object PyContext_CopyCurrent()
    int PyContext_Enter(object context) except -1
    int PyContext_Exit(object context) except -1
    int PyErr_CheckSignals() except -1
    ctypedef struct PyInterpreterState:
        pass
    ctypedef struct PyThreadState:
        pass
    PyInterpreterState* PyInterpreterState_Get()
    PyThreadState* PyInterpreterState_ThreadHead(PyInterpreterState* interpreter)
    PyThreadState* PyThreadState_Next(PyThreadState* thread)

cdef extern from *:
    """
    typedef _Bool trueasync_flag;
    """
    ctypedef bint flag "trueasync_flag"     # a bint of one byte, where there are many of them

# greenlet's C API. Only scheduler/context.py may cimport this file.
from cpython.object cimport PyObject

cdef extern from "greenlet/greenlet.h":
    ctypedef class greenlet.greenlet [object PyGreenlet]:
        pass

    void PyGreenlet_Import() except *
    greenlet PyGreenlet_GetCurrent()
    # New reference, or NULL with an exception set.
    PyObject* PyGreenlet_Switch(void* target, PyObject* args, PyObject* kwargs)

# The thread-local variable of current.h. Only scheduler/current.py may cimport this file.
from cpython.object cimport PyObject

cdef extern from "current.h":
    PyObject* trueasync_current_scheduler

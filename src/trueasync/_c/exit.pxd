# The exit status of a process. Only scheduler/status.py may cimport this file.

cdef extern from "exit.h":
    void trueasync_exit_as_after(int number, int whatever_the_status)

"""Who could wake a run in which nobody can go on: other threads, and signal handlers.

A coroutine that waits at a lock, an event or a queue is not in a deadlock if one of those
may release, set or fill it.
"""

from _signal import NSIG, default_int_handler, getsignal

import cython
from cython.cimports.trueasync._c.python import (
    PyInterpreterState_Get,
    PyInterpreterState_ThreadHead,
    PyThreadState,
    PyThreadState_Next,
)


@cython.cfunc
@cython.exceptval(-1, check=False)
def other_threads() -> cython.bint:
    # CPython's own list: `threading` does not know every thread, and one that has just been
    # started has no frame yet.
    thread: cython.pointer(PyThreadState) = PyInterpreterState_ThreadHead(PyInterpreterState_Get())
    return PyThreadState_Next(thread) != cython.NULL


@cython.cfunc
@cython.exceptval(-1, check=False)
def handles_signals() -> cython.bint:
    """Whether the program handles a signal itself, and may set an event then."""
    for number in range(1, NSIG):
        handler = getsignal(number)
        if not callable(handler) or handler is default_int_handler:
            continue
        # Ours raise, or report; they let nobody go on.
        if not str(getattr(handler, "__module__", "")).startswith("trueasync."):
            return True
    return False

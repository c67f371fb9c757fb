"""Birth: a coroutine is made of a function, its arguments, and the moment it is spawned in."""

import cython
from cython.cimports.trueasync._c.python import (
    PyContext_CopyCurrent,
    PyEval_GetFrame,
    trueasync_frame_code,
    trueasync_frame_offset,
)
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.scheduler import Scheduler


@cython.cfunc
def new_coroutine(scheduler: Scheduler, function, args: tuple, kwargs: dict | None) -> Coroutine:
    """A coroutine that nobody knows yet, spawned where the innermost Python frame is."""
    if not callable(function):
        raise TypeError(
            f"{function!r} is no function to call; give the function itself, then its arguments"
        )
    coroutine: Coroutine = Coroutine.__new__(Coroutine)
    coroutine.scheduler = scheduler
    coroutine.function = function
    coroutine.args = args
    if kwargs is not None:
        coroutine.need_extras().kwargs = kwargs
    coroutine.contextvars = PyContext_CopyCurrent()
    frame = PyEval_GetFrame()
    if frame != cython.NULL:
        coroutine.spawn_code = trueasync_frame_code(frame)
        coroutine.spawn_offset = trueasync_frame_offset(frame)
    return coroutine

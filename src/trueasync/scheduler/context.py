"""Context: a stack that runs one coroutine after another. The only module that knows greenlet.

A context is first started from the scheduler's own coroutine, never from another context:
a greenlet's stack begins where it is started, so starting one from the next would pile
them up until the C stack ends.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.trueasync._c.greenlet import (
    PyGreenlet_GetCurrent,
    PyGreenlet_Import,
    PyGreenlet_Switch,
    greenlet,
)
from cython.cimports.trueasync._c.python import (
    PyObject_GC_UnTrack,
    trueasync_call,
    trueasync_take_error,
)
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from greenlet import error as GreenletError

PyGreenlet_Import()


@cython.final
@cython.no_gc
@cython.cclass
class Context:
    """A stack, and the coroutine it runs.

    It has a greenlet and is none: greenlet checks types often, and an exact one is cheap.
    """


def work():
    """What every context runs: the coroutine it is given, then the next."""
    scheduler: Scheduler = scheduler_here()
    context: Context = scheduler.pool.fresh
    scheduler.pool.fresh = None
    coroutine: Coroutine = context.coroutine
    kwargs: cython.pointer(PyObject)
    result: cython.pointer(PyObject)
    raised: cython.pointer(PyObject) = cython.NULL
    while coroutine is not None:
        coroutine.enter()
        kwargs = coroutine.keywords()
        result = trueasync_call(
            cython.cast(cython.pointer(PyObject), coroutine.function),
            cython.cast(cython.pointer(PyObject), coroutine.args),
            kwargs,
            cython.address(raised),
        )
        coroutine.leave(result, raised)
        # Dropped before the next is chosen: nothing of the last one may live on here.
        coroutine = context.coroutine = None
        coroutine = scheduler.after_finish(context)


@cython.cfunc
def new_context() -> Context:
    context: Context = Context()
    context.stack = greenlet(work)
    # It lives until it ends, which its scheduler sees to: no need to look at it.
    PyObject_GC_UnTrack(context.stack)
    return context


@cython.cfunc
def frame_of(stack):
    """The innermost Python frame of a suspended stack, or None."""
    return stack.gr_frame


@cython.cfunc
def frames_of(stack, home) -> list:
    """The innermost Python frame of a suspended stack, and of each that this was started on."""
    frames: list = []
    while stack is not None and stack is not home:
        if stack.gr_frame is not None:
            frames.append(stack.gr_frame)
        stack = stack.parent
    return frames


@cython.cfunc
def current_stack():
    """The stack this runs on: a context, or a greenlet somebody started inside one."""
    return PyGreenlet_GetCurrent()


@cython.cfunc
@cython.exceptval(check=False)
def switch(stack: cython.pointer(PyObject)) -> cython.int:
    """Go on over there; returns when somebody switches back to this stack.

    Borrowed, as greenlet allows: who waits here must not keep the other stack alive.
    -1: it failed, or something was thrown into this stack; take_error() is that.
    """
    result: cython.pointer(PyObject) = PyGreenlet_Switch(
        cython.cast(cython.p_void, stack), cython.NULL, cython.NULL
    )
    if result == cython.NULL:
        return -1
    Py_DECREF(cython.cast(object, result))
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_switch_error(error) -> cython.bint:
    """Whether `switch` could not go there, as opposed to being thrown into."""
    return isinstance(error, GreenletError)


@cython.cfunc
def take_error():
    """What made `switch` return -1."""
    error = cython.cast(object, trueasync_take_error())
    Py_DECREF(error)  # OWNERSHIP: `error` holds it
    return error

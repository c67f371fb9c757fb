"""Which scheduler and which coroutine this thread is in."""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync._c.current import trueasync_current_scheduler
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import UsageError


@cython.cfunc
def scheduler_here() -> Scheduler:
    if trueasync_current_scheduler == cython.NULL:
        return None
    return cython.cast(Scheduler, trueasync_current_scheduler)


@cython.cfunc
def require_scheduler(call: str) -> Scheduler:
    if trueasync_current_scheduler == cython.NULL:
        raise UsageError(
            f"trueasync.{call}() works inside trueasync.run(main), and in this thread "
            "no run is going on; call it from main or from a coroutine main spawned"
        )
    return cython.cast(Scheduler, trueasync_current_scheduler)


@cython.cfunc
def coroutine_here() -> Coroutine:
    if trueasync_current_scheduler == cython.NULL:
        return None
    return cython.cast(Scheduler, trueasync_current_scheduler).current


@cython.cfunc
@cython.exceptval(-1, check=False)
def set_scheduler_here(scheduler: Scheduler | None) -> cython.int:
    global trueasync_current_scheduler
    if scheduler is None:
        trueasync_current_scheduler = cython.NULL
    else:
        # Borrowed: run_main() is on the stack for as long as this is set.
        trueasync_current_scheduler = cython.cast(cython.pointer(PyObject), scheduler)
    return 0

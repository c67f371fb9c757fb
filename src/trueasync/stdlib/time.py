"""time.sleep: inside a coroutine only that coroutine waits."""

import time

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

original_sleep = time.sleep


@cython.binding(False)
def sleep(seconds, /):
    """As time.sleep; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is None:
        return original_sleep(seconds)
    wait_for(seconds)
    return None


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for(seconds) -> cython.int:
    scheduler: Scheduler = scheduler_here()
    # As the original does it: what is neither a number nor an index is its TypeError.
    if not isinstance(seconds, (int, float)):
        if not hasattr(seconds, "__index__"):
            raise TypeError(
                f"{type(seconds).__name__!r} object cannot be interpreted as an integer"
            )
        seconds = seconds.__index__()
    if seconds != seconds:
        raise ValueError("Invalid value NaN (not a number)")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if seconds == 0:
        scheduler.pause()
    else:
        scheduler.wait(scheduler.reactor.timer(seconds))
    return 0


def replacements():
    """What is put where in `time`. Never suspends."""
    return [(time, "sleep", sleep)]

"""Switch handlers: called when their coroutine enters, leaves and finishes."""

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.extras import Extras

from .moment import Moment

MOMENTS = tuple(Moment)


@cython.cfunc
@cython.exceptval(-1, check=False)
def call_handlers(coroutine: Coroutine, moment: cython.int) -> cython.int:
    """Call those of `coroutine`, which has some; who returns false is called no more."""
    extras: Extras = coroutine.extras
    handlers: list = extras.handlers
    current: Coroutine = coroutine.scheduler.current
    kept: list = []
    extras.handlers = None
    coroutine.scheduler.current = None  # a handler must not suspend
    for handler in handlers:
        try:
            if handler(coroutine, MOMENTS[moment]):
                kept.append(handler)
        except RecursionError as error:
            kept.append(handler)  # it came too deep in the coroutine's own calls
            coroutine.pending = error
        except BaseException as error:
            # The coroutine did nothing wrong; the program's isolation is broken.
            coroutine.scheduler.unhandled(error)
    if extras.handlers is not None:
        kept.extend(extras.handlers)  # added by a handler
    extras.handlers = kept or None
    coroutine.scheduler.current = current
    return 0

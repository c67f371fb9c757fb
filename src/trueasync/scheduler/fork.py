"""What a run is in the child of a fork: the coroutine that forked, and nobody else.

The others belong to the parent. Here they neither run nor are thrown into, so that no
`finally` block closes in two processes what was opened in one.
"""

import cython
from cython.cimports.trueasync.reactor.base import Reactor
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.microtasks import MicrotaskQueue
from cython.cimports.trueasync.scheduler.ready import ReadyQueue
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import Cancelled
from .shutdown import Shutdown, abandoned


@cython.ccall
def go_on_alone(scheduler: Scheduler, reactor: Reactor):
    """The coroutine that runs becomes the main one, on a fresh reactor; the rest is forgotten.

    Whoever asks for the end of one of the others is told that it was cancelled.
    Never suspends. For the child of a fork, in the thread that forked.
    """
    current: Coroutine = scheduler.current
    order = scheduler.ready.order
    seconds = scheduler.shutdown.seconds
    scheduler.forked = True
    scheduler.reactor = reactor
    scheduler.handed = None
    scheduler.cancelling = None
    scheduler.trim_due = False
    scheduler.failed_polls = 0
    scheduler.hard = True  # whoever is told of an end may not spawn because of it
    coroutine: Coroutine
    for coroutine in scheduler.registry.all():
        if coroutine is not current:
            leave_behind(coroutine)
    scheduler.ready = ReadyQueue(order)
    scheduler.microtasks = MicrotaskQueue()
    scheduler.hard = False
    scheduler.shutdown = Shutdown(scheduler)
    scheduler.shutdown.seconds = seconds
    if current is not None:
        scheduler.main = current


@cython.cfunc
@cython.exceptval(-1, check=False)
def leave_behind(coroutine: Coroutine) -> cython.int:
    if coroutine.stack is not None:
        abandoned.append(coroutine.stack)  # letting go of it would throw into it
    extras = coroutine.need_extras()
    extras.handlers = None
    if extras.cancellation is None:
        extras.cancellation = Cancelled(f"{coroutine.name} has stayed in the parent process")
    coroutine.pending = None
    return coroutine.finish(None, extras.cancellation)

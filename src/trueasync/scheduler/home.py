"""Home: the scheduler's own coroutine, on the root stack, shallow.

It starts contexts, which only it may do, waits in the reactor when nobody can run, and
sees that nobody ever will.
"""

import gc
import sys
from _thread import get_ident

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.context import current_stack
from cython.cimports.trueasync.scheduler.coroutine import DONE, NEW, Coroutine
from cython.cimports.trueasync.scheduler.current import scheduler_here, set_scheduler_here
from cython.cimports.trueasync.scheduler.outside import handles_signals, other_threads
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import UsageError
from .location import user_frame
from .runs import runs

# A reactor that fails so often in a row reports nothing any more: as if nothing were armed.
MOST_FAILED_POLLS = cython.declare(cython.int, 3)


def run_main(scheduler: Scheduler, function, args: tuple, kwargs: dict | None, handlers=()):
    """Run `function` as the main coroutine, until it and all it spawned have ended.

    Blocks the thread. Not for other threads.
    """
    outer: Scheduler = scheduler_here()
    if outer is not None and not outer.at_exit:
        raise UsageError(
            "trueasync.run() is already going on in this thread; inside it, "
            "use trueasync.spawn(function, ...)"
        )
    scheduler.home = current_stack()
    set_scheduler_here(scheduler)
    runs[get_ident()] = scheduler
    try:
        scheduler.main = scheduler.spawn(function, args, kwargs, 0)
        if handlers:
            scheduler.main.need_extras().handlers = list(handlers)
        scheduler.main.set_spawn_frame(user_frame(sys._getframe()))
        run_to_the_end(scheduler)
        scheduler.pool.release(0)
    finally:
        del runs[get_ident()]
        set_scheduler_here(outer)
        if outer is not None:
            runs[get_ident()] = outer
    return scheduler.shutdown.outcome(scheduler.main)


@cython.cfunc
@cython.exceptval(-1, check=False)
def run_to_the_end(scheduler: Scheduler) -> cython.int:
    """What goes wrong at home itself shuts the run down, and still nobody is forgotten."""
    for _ in range(3):  # running, graceful, hard
        try:
            return loop(scheduler)
        except BaseException as error:
            scheduler.unhandled(error)
    for coroutine in scheduler.coroutines():
        scheduler.abandon(coroutine)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def loop(scheduler: Scheduler) -> cython.int:
    coroutine: Coroutine
    while scheduler.registry.count or scheduler.microtasks.count or lost_errors(scheduler):
        if scheduler.trim_due:
            scheduler.pool.trim(scheduler.reactor.now())
            scheduler.trim_due = False
        coroutine = scheduler.handed
        scheduler.handed = None
        if coroutine is None or coroutine.stage == DONE:
            coroutine = scheduler.next_ready()
        if coroutine is None:
            idle(scheduler)
            continue
        if coroutine.stage == NEW and not scheduler.pool.idle:
            scheduler.pool.create()
            if coroutine.stage == DONE:  # making it collected garbage, and that cancelled
                scheduler.pool.discard_fresh()
                continue
        stack: cython.pointer(PyObject) = scheduler.stack_of(coroutine)
        coroutine = None  # a stack that waits must not keep another coroutine alive
        scheduler.switch(stack, None)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def lost_errors(scheduler: Scheduler) -> cython.bint:
    """Bring to light, at the end, errors that nobody will ask for; whether that made work.

    A failed coroutine may be part of a cycle: one that refers to itself is, by its traceback.
    """
    if scheduler.unclaimed_errors:
        gc.collect()
    return scheduler.registry.count > 0  # finalizers may spawn


@cython.cfunc
@cython.exceptval(-1, check=False)
def idle(scheduler: Scheduler) -> cython.int:
    """Nobody can run: do what is left, then wait for the outside world."""
    if scheduler.microtasks.count:
        scheduler.run_microtasks()
    if scheduler.ready.count:
        return 0
    if not scheduler.registry.count:
        return 0
    alarm: Event = scheduler.pool.before_waiting(scheduler.reactor.now())
    # Hidden events are no reason to wait; but they may have fired, so look once.
    scheduler.poll(expects_something(scheduler))
    if alarm is not None:
        alarm.stop()
    if scheduler.ready.count or scheduler.microtasks.count:
        return 0
    if not expects_something(scheduler) or scheduler.failed_polls >= MOST_FAILED_POLLS:
        scheduler.shutdown.deadlock()
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def expects_something(scheduler: Scheduler) -> cython.bint:
    """Whether a poll that waits can ever bring anybody back."""
    if scheduler.reactor.active > 0:
        return True
    if scheduler.handlers_awaited > 0 and handles_signals():
        return True
    return scheduler.threads_awaited > 0 and other_threads()

"""Coroutine: a function with a stack of its own, and the event of its end."""

from functools import partial

import cython
from cython.cimports.cpython.function import PyFunction_Check
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.trueasync._c.python import (
    PyContext_Enter,
    PyContext_Exit,
    trueasync_qualname,
)
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.block import forsake_blocks
from cython.cimports.trueasync.scheduler.cancel import cancel_coroutine, settle
from cython.cimports.trueasync.scheduler.children import Children
from cython.cimports.trueasync.scheduler.completion import Completion
from cython.cimports.trueasync.scheduler.context import frame_of
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.extras import Extras
from cython.cimports.trueasync.scheduler.grace import new_grace
from cython.cimports.trueasync.scheduler.handlers import call_handlers
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.scheduler.waker import Waker

from ..errors import Cancelled, UsageError
from .location import location_of_code, location_of_frame, traceback_of, where

STATES = ("new", "ready", "running", "waiting", "done")


@cython.final
@cython.cclass
class Coroutine(Completion):
    """What `spawn` returns: a function that runs when its turn comes.

    new -> running <-> waiting -> ready -> running ... -> done
    Other threads may ask for its result, and cancel it; the rest is not for other threads.
    """

    def __init__(self):
        raise UsageError("a coroutine is made by trueasync.spawn(function, ...)")

    # -- what its owner asks ------------------------------------------------------------

    def cancel(self, reason=None, *, grace=None) -> bool:
        """Ask it to stop: `Cancelled` is thrown at its wait, once; False if it is done.

        One that has not started never runs. Its clean-up may wait; if it still lives when
        `grace` seconds have passed, it is thrown again at every wait.
        Never suspends. Safe from any thread.
        """
        if self.stage == DONE:
            return False
        if scheduler_here() is not self.its_run():
            return self.scheduler.reactor.post(partial(self.cancel, reason, grace=grace))
        text = f"{self.name} was cancelled" + ("" if reason is None else f": {reason}")
        cancel_coroutine(self, Cancelled(text), False)
        if grace is not None and self.stage != DONE:
            new_grace(None, self, grace)
        return True

    def running(self) -> bool:
        """Whether it has begun, and is not done. Never suspends."""
        return self.stage != NEW and not self.fired

    def add_switch_handler(self, handler) -> None:
        """Call `handler(coroutine, moment)` when it enters, leaves and finishes.

        It stays for as long as it returns true; it must not suspend. Never suspends.
        """
        self.here("add_switch_handler")
        if self.stage == DONE:
            raise UsageError(f"{self.name} is done; it will enter and leave no more")
        extras: Extras = self.need_extras()
        if extras.handlers is None:
            extras.handlers = []
        extras.handlers.append(handler)

    @property
    def name(self) -> str:
        """The name it was given, or that of its function."""
        given = None if self.extras is None else self.extras.name
        return given or name_of(self.function)

    @property
    def state(self) -> str:
        """One of new, ready, running, waiting, done."""
        return STATES[self.stage]

    @property
    def spawn_location(self) -> str:
        """Where it was spawned, as file:line."""
        return location_of_code(self.spawn_code, self.spawn_offset)

    @property
    def suspend_location(self) -> str:
        """Where it waits, as file:line; empty if it does not."""
        if self.stack is None or self.stage not in (READY, WAITING):
            return ""
        return location_of_frame(frame_of(self.stack))

    @property
    def waits_for(self) -> list:
        """What it waits for, in words; empty if it does not wait."""
        waker: Waker = self.waker
        if self.stage != WAITING or waker is None:
            return []
        events: list = [waker.first, waker.second, *(waker.others or ())]
        return [cython.cast(Event, event).info() for event in events if event is not None]

    def info(self) -> str:
        """What waiting for it is, in words. Never suspends."""
        return f"the end of {self.name}"

    def held_up_by(self) -> list:
        """Nobody else ends it. Never suspends."""
        return [self]

    def traceback(self) -> str:
        """Where it is now, as in a Python traceback; empty if it has not begun, or is done.

        Never suspends. Safe from any thread.
        """
        return traceback_of(self)

    def __repr__(self):
        return f"<Coroutine {self.name} {STATES[self.stage]}{where(self)}>"

    def fire(self, value=None, error=None) -> bool:
        """Not for coroutines: only its end fires one. Never suspends."""
        raise UsageError(f"{self.name} cannot be fired; it ends with its function")

    # -- outcome ------------------------------------------------------------------------

    @cython.ccall
    def outcome(self):
        """Its value, or raises its error; from now on that is the caller's. Never suspends."""
        if self.error is None:
            return self.value
        self.claim()
        if self.error is self.cancellation():
            raise self.cancelled_error()
        # Every asker gets the traceback of the failure, without those of earlier askers.
        raise self.error.with_traceback(self.value)

    def __del__(self):
        # An error nobody took is judged here, at the last reference, not at the end:
        # who holds the handle may still ask.
        if self.unclaimed:
            self.claim()
            self.scheduler.unclaimed(self, self.error)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def claim(self) -> cython.int:
        if self.unclaimed:
            self.unclaimed = False
            self.scheduler.unclaimed_errors -= 1
        return 0

    # -- its life -----------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.int:
        """Its context has it now, and is about to call its function."""
        PyContext_Enter(self.contextvars)
        if self.has_handlers():
            call_handlers(self, 0)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave(
        self, result: cython.pointer(PyObject), raised: cython.pointer(PyObject)
    ) -> cython.int:
        """Its function has returned `result`, or is NULL and `raised` something."""
        value = error = None
        if result == cython.NULL:
            error = cython.cast(object, raised)
            Py_DECREF(error)  # OWNERSHIP: `error` holds it
        else:
            value = cython.cast(object, result)
            Py_DECREF(value)  # OWNERSHIP: `value` holds it
        # Finalizers may run from here to `finish`, and wait: it still is a coroutine.
        self.args = None
        self.function = name_of(self.function)
        if error is not None and error is self.cancellation():
            error.__traceback__ = None  # the frames it was thrown into may go
        if self.extras is not None:
            self.extras.kwargs = self.extras.locals = None
            if self.extras.handlers is not None:
                call_handlers(self, 2)
                self.extras.handlers = None
        try:
            PyContext_Exit(self.contextvars)
        except RuntimeError as failure:
            self.scheduler.unhandled(failure)  # its code has left another one entered
        self.contextvars = None
        return self.finish(value, error)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def finish(self, value, error) -> cython.int:
        undelivered = self.pending
        self.drop()
        self.scheduler.registry.remove(self)
        if error is not None and error is not self.cancellation():
            value = error.__traceback__  # as it was; an error has no other value
            self.unclaimed = True
            self.scheduler.unclaimed_errors += 1
        try:
            self.fire_with(value, error)
        except BaseException as failure:
            self.scheduler.unhandled(failure)
        # After those who wait for it: they get the error itself, not what comes of it.
        if self.unclaimed and self.ends_the_run(error):
            self.claim()
            self.scheduler.unhandled(error)
        if self.inside is not None:
            forsake_blocks(self)
            self.leave_scope()
        if undelivered is not None and not isinstance(undelivered, Cancelled):
            self.scheduler.unhandled(undelivered)  # Ctrl-C, and it waited no more
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave_scope(self) -> cython.int:
        siblings: Children = cython.cast(Children, self.inside)
        self.inside = None
        return 0 if siblings is None else siblings.child_ended(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def ends_the_run(self, error) -> cython.bint:
        return self is self.scheduler.main or isinstance(error, (KeyboardInterrupt, SystemExit))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def drop(self) -> cython.int:
        """Be done: keep nothing of the run but the name and the outcome."""
        self.stage = DONE
        self.args = None
        self.stack = None
        self.contextvars = None
        self.pending = None
        if self.extras is not None:
            self.extras.kwargs = self.extras.locals = None
            self.extras.handlers = None
        self.function = name_of(self.function)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake(self, waker: Waker) -> cython.int:
        """Put it on the ready queue, if it is this wait it is in."""
        if self.stage == WAITING and self.waker is waker:
            self.stage = READY
            self.scheduler.ready.put(self)
        return 0

    @cython.cfunc
    def cancellation(self):
        return None if self.extras is None else self.extras.cancellation

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def throw(self, error) -> cython.int:
        """Raise `error` at its wait: the one it is in, else its next."""
        self.pending = error
        if self.stage == WAITING:
            # What it was woken for is its own; what comes later goes to the next waiter.
            self.waker.closed = True
            self.stage = READY
            self.scheduler.ready.put(self)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def raise_pending(self) -> cython.int:
        error = self.pending
        self.pending = None
        if self.extras is not None:
            settle(self)
        raise error

    @cython.ccall
    def set_spawn_frame(self, frame):
        """Where it was spawned, when that is not where it was made. Never suspends."""
        if frame is not None:
            self.spawn_code = frame.f_code
            self.spawn_offset = frame.f_lasti

    # -- as a completion ----------------------------------------------------------------

    @cython.cfunc
    def its_run(self):
        if self.scheduler is None:
            self.__init__()  # made around that: it says how it is made
        return self.scheduler

    @cython.cfunc
    def its_name(self) -> str:
        return self.name

    @cython.cfunc
    @cython.exceptval(check=False)
    def ended_cancelled(self) -> cython.bint:
        return self.error is not None and self.error is self.cancellation()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse_to_wait(self) -> cython.int:
        if self.stage == RUNNING:
            raise UsageError(f"{self.name} waits for its own result and would wait forever")
        if self.scheduler.current is None:
            raise UsageError(f"result() of {self.name} would wait, and no coroutine runs here")
        return 0

    @cython.cfunc
    def outside(self):
        extras: Extras = self.need_extras()
        if extras.outside is None:
            from .as_future import AsFuture

            self.its_run()
            made = AsFuture()
            if extras.outside is None:  # another thread may have been faster
                extras.outside = made
                self.add_done_callback(made.settle)
        return extras.outside

    # -- helpers of the above -----------------------------------------------------------

    @cython.cfunc
    def need_extras(self) -> Extras:
        if self.extras is None:
            made: Extras = Extras()
            if self.extras is None:  # another thread may have been faster
                self.extras = made
        return self.extras

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def has_handlers(self) -> cython.bint:
        return self.extras is not None and self.extras.handlers is not None

    @cython.cfunc
    @cython.exceptval(check=False)
    def keywords(self) -> cython.pointer(PyObject):
        kwargs = None if self.extras is None else self.extras.kwargs
        return cython.cast(cython.pointer(PyObject), kwargs)

    @cython.cfunc
    def here(self, call: str) -> Scheduler:
        """Its scheduler, if the caller is in that scheduler's thread and run."""
        scheduler: Scheduler = scheduler_here()
        if scheduler is None or scheduler is not self.scheduler:
            raise UsageError(
                f"{call}() of {self.name} was called from outside the run it belongs to; "
                "a coroutine may be used only in the thread and run that spawned it"
            )
        return scheduler


@cython.cfunc
def name_of(function) -> str:
    """The name of a callable; a name is its own."""
    if PyFunction_Check(function):
        return trueasync_qualname(function)
    if isinstance(function, str):
        return function
    name = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else repr(function)

"""ThreadCall: fires when a native thread has called a function, with its result or error.

The thread touches no event: it leaves the outcome in the call, and posts.
"""

import cython
from cython.cimports.cpython.exc import PyErr_SetObject, PyErr_WriteUnraisable
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.trueasync._c.python import (
    PyContext_CopyCurrent,
    PyContext_Enter,
    PyContext_Exit,
    trueasync_call,
)
from cython.cimports.trueasync.reactor.base import Reactor, ReactorEvent
from cython.cimports.trueasync.reactor.workers import Crew, current_generation, start_thread

from ..errors import Cancelled, UsageError


@cython.cclass
class ThreadCall(ReactorEvent):
    """A function for a worker of `crew`, or without a crew for a thread of its own.

    It begins with the first start, or with `begin`. If then nobody waits for it any more, it
    is dropped where it has not been called yet; but not if it was begun by `begin`.
    What its thread raises and nobody takes goes to `sys.unraisablehook`.
    """

    def __init__(
        self,
        reactor: Reactor,
        function,
        args: tuple = (),
        kwargs: dict | None = None,
        crew: Crew | None = None,
    ):
        if not callable(function):
            raise TypeError(
                f"{function!r} is no function to call; give the function itself, then its arguments"
            )
        self.reactor = reactor
        self.function = function
        self.args = args
        self.kwargs = kwargs or None
        self.crew = crew
        self.name = getattr(function, "__qualname__", None) or repr(function)
        self.context = PyContext_CopyCurrent()

    # -- its beginning ------------------------------------------------------------------

    @cython.ccall
    def begin(self):
        """Have it called, whether anybody waits or not. Never suspends."""
        if self.stage == NEW:
            self.submit()
        self.kept = True
        if self.delivered:
            self.fire_delivered()

    @cython.ccall
    def withdraw(self):
        """Have it not called; False if it is too late for that. Never suspends.

        Who waits for it gets `Cancelled`.
        """
        if self.stage == QUEUED:
            self.crew.take_back(self)
        elif self.stage != NEW:
            return False
        self.stage = ENDED
        self.drop()
        self.tell_end()
        self.fire_with(None, Cancelled(f"{self.name} was cancelled before it was called"))
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def submit(self) -> cython.int:
        self.generation = current_generation()
        self.stage = QUEUED
        try:
            if self.crew is not None:
                self.crew.give(self)
            else:
                self.stage = CALLED
                start_thread(self.perform, f"trueasync: {self.name}")
        except BaseException:
            self.stage = NEW
            raise
        return 0

    # -- waiting ------------------------------------------------------------------------

    @cython.ccall
    def arm(self):
        ReactorEvent.arm(self)
        self.reactor.awaited_calls += 1
        try:
            if self.stage == NEW:
                self.submit()
            elif self.delivered:
                self.fire_delivered()
            elif self.generation != current_generation():
                self.fire_with(None, UsageError(f"{self.name} is called in the parent process"))
        except BaseException:
            self.disarm()
            raise

    @cython.ccall
    def disarm(self):
        ReactorEvent.disarm(self)
        self.reactor.awaited_calls -= 1
        if self.stage == QUEUED and not self.kept and not self.fired:
            self.crew.take_back(self)
            self.stage = NEW

    @cython.ccall
    def outcome(self):
        """What the function returned, or raises what it raised. Never suspends."""
        self.unclaimed = False
        if self.error is not None:
            # Every asker gets the traceback of the failure, without those of earlier askers.
            raise self.error.with_traceback(self.value)
        return self.value

    @cython.ccall
    def info(self) -> str:
        return f"a thread to call {self.name}"

    # -- in the thread ------------------------------------------------------------------

    @cython.ccall
    def perform(self):
        """Call the function, leave the outcome, and say so. Blocks the thread."""
        raised: cython.pointer(PyObject) = cython.NULL
        PyContext_Enter(self.context)
        result: cython.pointer(PyObject) = trueasync_call(
            cython.cast(cython.pointer(PyObject), self.function),
            cython.cast(cython.pointer(PyObject), self.args),
            cython.cast(cython.pointer(PyObject), self.kwargs),
            cython.address(raised),
        )
        if result != cython.NULL:
            self.result = cython.cast(object, result)
            Py_DECREF(self.result)  # OWNERSHIP: `result` holds it
        else:
            self.failure = cython.cast(object, raised)
            Py_DECREF(self.failure)  # OWNERSHIP: `failure` holds it
        self.end_in_thread()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def end_in_thread(self) -> cython.int:
        try:
            PyContext_Exit(self.context)
        except RuntimeError as error:  # the function has left another one entered
            self.failure = self.failure or error
        self.unclaimed = self.failure is not None
        self.drop()
        self.stage = ENDED
        if self.generation == current_generation():
            self.reactor.post(self.deliver)
        self.tell_end()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def tell_end(self) -> cython.int:
        on_end = self.on_end
        self.on_end = None
        if on_end is not None:
            on_end()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def drop(self) -> cython.int:
        """Keep nothing of what the function was called with."""
        self.function = self.args = self.kwargs = self.context = None
        return 0

    # -- its end ------------------------------------------------------------------------

    @cython.ccall
    def deliver(self):
        """Posted by the thread: fire with the outcome, now or when it is asked for.

        Never suspends.
        """
        self.delivered = True
        if self.starts or self.kept:
            self.fire_delivered()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fire_delivered(self) -> cython.int:
        failure = self.failure
        value = self.result if failure is None else failure.__traceback__
        self.result = None
        if self.fire_with(value, failure):
            self.failure = None  # Event has it now
        return 0

    def __del__(self):
        if self.unclaimed and not self.may_fail:
            tell_unraisable(self.failure or self.error, self)

    def __repr__(self):
        return f"<ThreadCall {self.name}>"


@cython.ccall
@cython.exceptval(-1, check=False)
def tell_unraisable(error, where) -> cython.int:
    """Nobody is left to raise `error` for: all one can do is say it. Never suspends."""
    PyErr_SetObject(type(error), error)
    PyErr_WriteUnraisable(where)
    return 0

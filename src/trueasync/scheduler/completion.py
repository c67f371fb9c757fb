"""Completion: an outcome that is there some time, for whoever asks, in this thread or another.

A coroutine and a future are completions. Both fit where a `concurrent.futures.Future` fits:
`concurrent.futures.wait` and `as_completed` and `asyncio.wrap_future` take them.
"""

import sys
from types import GenericAlias

import cython
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import Cancelled, UsageError

future_classes: dict = {}


@cython.cclass
class Completion(Event):
    """Something that has a result, or an error, once it is done. Safe from any thread."""

    __class_getitem__ = classmethod(GenericAlias)

    def result(self, timeout=None):
        """Its value; raises its error, or `Cancelled` if it was cancelled.

        Waits until it is done, at most `timeout` seconds, then raises TimeoutError.
        Suspends the coroutine, except when it is done; elsewhere, blocks the thread.
        """
        scheduler: Scheduler
        if not self.fired:
            scheduler = scheduler_here()
            if timeout is None and scheduler is not None and scheduler is self.its_run():
                self.refuse_to_wait()
                scheduler.wait(self)
            else:
                self.wait_otherwise(timeout)
        return self.outcome()

    def exception(self, timeout=None):
        """Its error, or None if it has none; raises `Cancelled` if it was cancelled.

        Waits as `result` does. Suspends the coroutine, except when it is done.
        """
        if not self.fired:
            self.wait_otherwise(timeout)
        try:
            self.outcome()
        except BaseException as error:
            if self.ended_cancelled():
                raise
            return error
        return None

    def done(self) -> bool:
        """Whether there is a result, an error or a cancellation. Never suspends."""
        return self.fired

    def cancelled(self) -> bool:
        """Whether it ended by its cancellation. Never suspends."""
        return self.ended_cancelled()

    def running(self) -> bool:
        """Whether it has begun, and is not done. Never suspends."""
        return not self.fired

    def add_done_callback(self, function) -> None:
        """Call `function(this)` when it is done; at once if it is.

        It is called in the thread of the run, where no coroutine runs, so it must not wait.
        What it raises ends the run. Never suspends. Safe from any thread.
        """
        self.add_listener(new_callback(self, function))

    def event_here(self) -> Event:
        """What a coroutine of this run waits for; not this itself, if another run fires it.

        Never suspends.
        """
        scheduler: Scheduler = scheduler_here()
        if self.fired or scheduler is None or scheduler is self.its_run():
            return self
        from .elsewhere import Elsewhere

        return Elsewhere(scheduler.reactor, self)

    # -- for subclasses -----------------------------------------------------------------

    @cython.cfunc
    def its_run(self):
        return None

    @cython.cfunc
    def its_name(self) -> str:
        return self.info()

    @cython.cfunc
    @cython.exceptval(check=False)
    def ended_cancelled(self) -> cython.bint:
        return False

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse_to_wait(self) -> cython.int:
        return 0

    @cython.cfunc
    def outside(self):
        raise NotImplementedError

    # -- waiting elsewhere than in a coroutine of its run -------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait_otherwise(self, timeout) -> cython.int:
        scheduler: Scheduler = scheduler_here()
        if scheduler is None:
            from .as_future import block_thread

            block_thread(self.outside(), self.its_name(), timeout)
            return 0
        if scheduler.current is None:
            raise UsageError(
                f"result() of {self.its_name()} would wait, and no coroutine runs here"
            )
        if scheduler is self.its_run():
            self.refuse_to_wait()
            return wait_within(scheduler, self, self.its_name(), timeout)
        waited: Event = scheduler.reactor.trigger()
        callback: DoneCallback = new_callback(self, waited.fire)
        self.add_listener(callback)
        try:
            return wait_within(scheduler, waited, self.its_name(), timeout)
        finally:
            self.remove_listener(callback)

    @cython.cfunc
    def cancelled_error(self):
        """What whoever asks for its result gets: not its own, as the asker is not cancelled."""
        text: str = f"{self.its_name()} was cancelled"
        if scheduler_here() is not None:
            return Cancelled(text)
        from .as_future import CancelledOutside

        return CancelledOutside(text)

    # -- what concurrent.futures and asyncio look at ------------------------------------------

    @property
    def __class__(self):
        """What isinstance() asks second: a concurrent.futures.Future, where that is loaded.

        A compiled class cannot inherit from it.
        """
        return future_class_of(type(self))

    @property
    def _state(self):
        if not self.fired:
            return "RUNNING" if self.running() else "PENDING"
        return "CANCELLED_AND_NOTIFIED" if self.ended_cancelled() else "FINISHED"

    @property
    def _condition(self):
        return self.outside().condition

    @property
    def _waiters(self):
        return self.outside().waiters


@cython.final
@cython.cclass
class DoneCallback(Listener):
    """Calls a function of the user when a completion is done."""

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        scheduler: Scheduler = scheduler_here()
        completion: Completion = self.completion
        self.completion = None
        if scheduler is None:
            self.function(completion)  # it was done already, and this thread asked
            return True
        current = scheduler.current
        scheduler.current = None  # it must not suspend
        try:
            self.function(completion)
        except BaseException as error:
            scheduler.unhandled(error)
        finally:
            scheduler.current = current
        return True


@cython.cfunc
def new_callback(completion: Completion, function) -> DoneCallback:
    callback: DoneCallback = DoneCallback.__new__(DoneCallback)
    callback.completion = completion
    callback.function = function
    return callback


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_within(run, event: Event, name: str, timeout) -> cython.int:
    scheduler: Scheduler = run
    if timeout is None:
        scheduler.wait(event)
    elif scheduler.wait(event, scheduler.reactor.timer(timeout)) is not event:
        raise TimeoutError(f"{name} has not finished within {timeout} s")
    return 0


@cython.cfunc
def future_class_of(kind):
    if "concurrent.futures" not in sys.modules:
        return kind  # nobody can ask for its class
    found = future_classes.get(kind)
    if found is None:
        base = sys.modules["concurrent.futures"].Future
        names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
        found = future_classes[kind] = type(kind.__name__, (base,), names)
    return found

"""Future: a result that somebody will give, and whoever waits for it.

One object has both sides. Who makes it keeps `set_result` and `set_exception`, which any
thread may call; who gets it asks as with a coroutine, and may derive others from it.
"""

import contextvars
import warnings
from functools import partial

import cython
from cython.cimports.trueasync._c.python import (
    PyEval_GetFrame,
    trueasync_frame_code,
    trueasync_frame_offset,
)
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.children import children_around
from cython.cimports.trueasync.scheduler.completion import Completion
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import require_scheduler, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import Cancelled, UsageError
from ..scheduler.location import location_of_code


@cython.final
@cython.cclass
class Future(Completion):
    """A result to be: set once, by `set_result`, `set_exception` or `cancel`.

    Safe from any thread, but for `map`, `catch` and `finally_`.
    A result or an error that nobody has looked at by the last reference gives a warning,
    which names where the future was made and where it was set.
    """

    def __init__(self, name: str | None = None):
        self.scheduler = scheduler_here()
        self.given_name = name
        frame = PyEval_GetFrame()
        if frame != cython.NULL:
            self.made_code = trueasync_frame_code(frame)
            self.made_offset = trueasync_frame_offset(frame)

    # -- the side of who makes it -------------------------------------------------------

    def set_result(self, value) -> None:
        """Give it its result. Never suspends. Safe from any thread."""
        self.claim()
        self.settle(value, None)

    def set_exception(self, error) -> None:
        """Give it an error. Never suspends. Safe from any thread."""
        if isinstance(error, type) and issubclass(error, BaseException):
            error = error()
        if not isinstance(error, BaseException):
            raise TypeError(f"{error!r} is no exception; give one, or use set_result()")
        self.claim()
        self.settle(None, error)

    def cancel(self, reason=None) -> bool:
        """Let those who wait have `Cancelled`; False if it is done. It is set by that.

        Never suspends. Safe from any thread.
        """
        if self.claimed:
            return False
        self.claim()
        text = f"{self.info()} was cancelled" + ("" if reason is None else f": {reason}")
        self.cancellation = Cancelled(text)
        self.settle(None, self.cancellation)
        return True

    @staticmethod
    def with_result(value) -> Future:
        """One that is done. Never suspends. Safe from any thread."""
        made = Future()
        made.set_result(value)
        return made

    @staticmethod
    def with_exception(error) -> Future:
        """One that has failed. Never suspends. Safe from any thread."""
        made = Future()
        made.set_exception(error)
        return made

    # -- the side of who gets it --------------------------------------------------------

    def map(self, function) -> Future:
        """A future of `function(result)`; an error passes it by.

        The function is called in a coroutine of the caller's scope, and may wait.
        Never suspends. Not for other threads.
        """
        return self.derive(partial(map_step, function))

    def catch(self, function, kind=Exception) -> Future:
        """A future of `function(error)` if that is a `kind`; all else passes it by.

        The function is called in a coroutine of the caller's scope, and may wait.
        Never suspends. Not for other threads.
        """
        return self.derive(partial(catch_step, function, kind))

    def finally_(self, function) -> Future:
        """A future of the same outcome, after `function()`, whose error replaces it.

        The function is called in a coroutine of the caller's scope, and may wait.
        Never suspends. Not for other threads.
        """
        return self.derive(partial(finally_step, function))

    def ignore(self) -> Future:
        """Warn of nothing, whatever becomes of it. Never suspends. Safe from any thread."""
        self.looked = True
        return self

    def add_done_callback(self, function) -> None:
        """As of a coroutine. Never suspends. Safe from any thread."""
        self.looked = True
        Completion.add_done_callback(self, function)

    @cython.ccall
    def outcome(self):
        """Its result, or raises its error; from now on that is the caller's. Never suspends."""
        self.looked = True
        if self.error is None:
            return self.value
        if self.ended_cancelled():
            raise self.cancelled_error()
        raise self.error.with_traceback(self.traceback)

    @cython.ccall
    def info(self) -> str:
        """What waiting for it is, in words. Never suspends."""
        if self.given_name is not None:
            return f"future {self.given_name}"
        return f"the future made at {location_of_code(self.made_code, self.made_offset)}"

    def fire(self, value=None, error=None) -> bool:
        """Not for futures: they are set. Never suspends."""
        raise UsageError(f"{self.info()} cannot be fired; use set_result() or set_exception()")

    def __repr__(self):
        if not self.fired:
            state = "waiting"
        elif self.error is None:
            state = "has a result"
        else:
            state = "cancelled" if self.ended_cancelled() else f"failed: {self.error!r}"
        return f"<Future {self.info()}, {state}>"

    def __del__(self):
        if not self.fired or self.looked or self.ended_cancelled():
            return
        what = "result" if self.error is None else f"error {self.error!r}"
        place = location_of_code(self.set_code, self.set_offset)
        warnings.warn(
            f"nobody has looked at the {what} of {self.info()}, set at {place}; "
            "ask for it, or say ignore()",
            RuntimeWarning,
            stacklevel=1,
            source=None,
        )

    # -- as a completion ----------------------------------------------------------------

    @cython.cfunc
    def its_run(self):
        return self.scheduler

    @cython.cfunc
    @cython.exceptval(check=False)
    def ended_cancelled(self) -> cython.bint:
        return self.fired and self.error is not None and self.error is self.cancellation

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse_to_wait(self) -> cython.int:
        if self.scheduler.current is None:
            raise UsageError(f"result() of {self.info()} would wait, and no coroutine runs here")
        return 0

    @cython.cfunc
    def outside(self):
        if self.outside_ is None:
            from ..scheduler.as_future import AsFuture

            made = AsFuture()
            if self.outside_ is None:  # another thread may have been faster
                self.outside_ = made
                Completion.add_done_callback(self, made.settle)
        return self.outside_

    @cython.ccall
    def arm(self):
        # Another thread may set it: as long as there is one, this is no deadlock.
        if self.scheduler is not None:
            self.scheduler.threads_awaited += 1

    @cython.ccall
    def disarm(self):
        if self.scheduler is not None:
            self.scheduler.threads_awaited -= 1

    # -- helpers of the above -----------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def claim(self) -> cython.int:
        """Be the one who sets it. The GIL makes this one step."""
        if self.claimed:
            place = location_of_code(self.set_code, self.set_offset)
            raise UsageError(f"{self.info()} has been set before, at {place}")
        self.claimed = True
        frame = PyEval_GetFrame()
        if frame != cython.NULL:
            self.set_code = trueasync_frame_code(frame)
            self.set_offset = trueasync_frame_offset(frame)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def settle(self, value, error) -> cython.int:
        if error is not None:
            self.traceback = error.__traceback__
        deliver = partial(self.deliver, value, error)
        here: cython.bint = self.scheduler is None or scheduler_here() is self.scheduler
        # Where its run is over, whoever still asks does so from elsewhere.
        if here or not self.scheduler.reactor.post(deliver):
            deliver()
        return 0

    def deliver(self, value, error) -> None:
        """Settled from another thread: now in that of its run. Never suspends."""
        self.fire_with(value, error)

    @cython.cfunc
    def derive(self, step) -> Future:
        scheduler: Scheduler = require_scheduler("Future.map")
        current: Coroutine = scheduler.current
        following: Future = Future()
        children: Block = None
        if current is not None:
            children = children_around(current.inside)
        values = contextvars.copy_context()
        start = partial(begin_step, scheduler, children, step, following)
        self.add_done_callback(partial(values.run, start))
        return following


def begin_step(scheduler: Scheduler, children, step, following: Future, done):
    """The future before has been set: go on in a coroutine of the subscriber's scope."""
    try:
        scheduler.spawn_into(children, run_step, (step, following, done), None, 0)
    except BaseException as error:
        following.set_exception(error)  # that scope has ended


def run_step(step, following: Future, done):
    try:
        following.set_result(step(done))
    except Cancelled as error:
        if following.claimed:
            raise
        following.cancel(str(error))
        raise
    except BaseException as error:
        following.set_exception(error)
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise


def map_step(function, done):
    return function(done.outcome())


def catch_step(function, kind, done):
    try:
        return done.outcome()
    except kind as error:
        return function(error)


def finally_step(function, done):
    try:
        return done.outcome()
    finally:
        function()

"""Scheduler: decides who runs next. One per OS thread, for one run.

There is no loop that coroutines return to. Who suspends does a tick on its own stack and
switches directly to the next. Home, the scheduler's own coroutine (home.py), is only gone
to when nothing is ready, when a fresh context must be started, and when a switch failed.
"""

import cython
from cython.cimports.cpython.exc import PyErr_SetObject, PyErr_WriteUnraisable
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.reactor.base import Reactor
from cython.cimports.trueasync.scheduler.birth import new_coroutine
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.cancel import cancel_coroutine
from cython.cimports.trueasync.scheduler.children import Children, children_around
from cython.cimports.trueasync.scheduler.context import (
    Context,
    current_stack,
    is_switch_error,
    switch,
    take_error,
)
from cython.cimports.trueasync.scheduler.coroutine import (
    DONE,
    NEW,
    READY,
    RUNNING,
    WAITING,
    Coroutine,
)
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.extras import Extras
from cython.cimports.trueasync.scheduler.handlers import call_handlers
from cython.cimports.trueasync.scheduler.microtasks import Microtask, MicrotaskQueue
from cython.cimports.trueasync.scheduler.pool import ContextPool
from cython.cimports.trueasync.scheduler.ready import ReadyQueue
from cython.cimports.trueasync.scheduler.registry import Registry
from cython.cimports.trueasync.scheduler.waker import Waker, new_waker

from ..errors import HandlerError, UsageError
from .shutdown import Shutdown

# Pure yielding must not starve I/O, and polling must not cost a syscall a switch.
TURNS_PER_POLL = cython.declare(cython.int, 64)
SECONDS_PER_POLL = cython.declare(cython.double, 0.001)
# Reading the clock costs an eighth of a switch: only every eighth tick looks at it.
CLOCK_MASK = cython.declare(cython.int, 7)
# A coroutine that ignores this many hard cancellations is left where it stands.
MOST_REFUSALS = cython.declare(cython.int, 100)


@cython.final
@cython.cclass
class Scheduler:
    """Runs `main` and everything it spawns, and returns when all have ended."""

    def __init__(self, reactor: Reactor, order=None):
        self.reactor = reactor
        self.ready = ReadyQueue(order)
        self.microtasks = MicrotaskQueue()
        self.registry = Registry()
        self.pool = ContextPool(self)
        self.shutdown = Shutdown(self)

    # -- suspending: on the stack of the coroutine that suspends --------------------------

    @cython.ccall
    def wait(self, first: Event, second: Event = None, others: list | None = None) -> Event:
        """Wait until one of the events fires, and return that one.

        Suspends the coroutine, unless one has fired already. Not for other threads.
        """
        coroutine: Coroutine = self.current
        if coroutine is None or coroutine.pending is not None or self.hard:
            self.begin_wait("wait")
        waker: Waker = new_waker(coroutine, first, second, others)
        # No `try` around the switch: what it would keep on the stack is copied each time.
        if not waker.start() and coroutine.pending is None:
            coroutine.waker = waker
            coroutine.stage = WAITING
            self.switch_away(coroutine)
            coroutine.waker = None
        waker.close()
        if waker.winner is None:
            coroutine.raise_pending()
        return waker.winner

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def pause(self) -> cython.int:
        """Go to the end of the ready queue: everyone who may run goes first."""
        coroutine: Coroutine = self.current
        if coroutine is None or coroutine.pending is not None or self.hard:
            self.begin_wait("suspend")
        coroutine.stage = READY
        self.ready.push(coroutine)  # at the tail, whatever its priority
        self.switch_away(coroutine)
        if coroutine.pending is not None:
            coroutine.raise_pending()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def begin_wait(self, call: str) -> cython.int:
        """What stands in the way of a wait: nobody to wait, or a cancellation."""
        coroutine: Coroutine = self.current
        if coroutine is None:
            raise UsageError(
                f"{call}() was called where no coroutine runs (from a microtask, an event "
                "or a signal handler); spawn a coroutine there and wait in that"
            )
        if self.hard or (coroutine.extras is not None and coroutine.extras.insisted is not None):
            self.refuse(coroutine)
        if coroutine.pending is not None:
            coroutine.raise_pending()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def refuse(self, coroutine: Coroutine) -> cython.int:
        """Let it wait for one round, no more; if it has caught that too often, for ever."""
        extras: Extras = coroutine.extras
        if self.hard or extras.insists:  # only one that is to end as a whole can be left there
            coroutine.refusals += 1
            if coroutine.refusals > MOST_REFUSALS:
                coroutine.stack = current_stack()
                self.abandon(coroutine)
                self.switch(self.stack_of(self.next_ready()), coroutine)
        # Its clean-up may wait for others: those run before it is cancelled again.
        coroutine.stage = READY
        self.ready.push(coroutine)
        self.switch_away(coroutine)
        if self.hard:
            coroutine.pending = coroutine.cancellation()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def switch_away(self, coroutine: Coroutine) -> cython.int:
        """One tick, then the direct switch; returns when `coroutine` runs again.

        What is thrown into it meanwhile is not raised, but pending.
        """
        self.current = None  # what runs here now is not `coroutine`, and may not wait
        following: Coroutine = self.leave(coroutine)
        # Not always its context: code like SQLAlchemy's runs greenlets of its own in it.
        coroutine.stack = current_stack()
        stack = self.stack_of(following)
        following = None  # a stack that waits must not keep another coroutine alive
        if self.current is not coroutine:
            self.switch(stack, coroutine)
        if coroutine.has_handlers():
            call_handlers(coroutine, 0)
        return 0

    @cython.cfunc
    def leave(self, coroutine: Coroutine | None) -> Coroutine:
        """Do all that comes before a switch away from `coroutine`; who is next."""
        try:
            if coroutine is not None and coroutine.has_handlers():
                call_handlers(coroutine, 1)
            self.tick()
            return self.next_ready()
        except RecursionError as error:
            if coroutine is None:
                self.unhandled(error)
            else:
                coroutine.pending = error  # it waits too deep in its own calls
        except BaseException as error:
            self.unhandled(error)
        return None  # home will look again

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def tick(self) -> cython.int:
        """Microtasks, then a look at the outside world if that is due."""
        if self.microtasks.count:
            self.run_microtasks()
        self.turns += 1
        if (self.turns & CLOCK_MASK) == 0:
            self.poll_if_due()
        return 0

    @cython.cfunc
    @cython.inline
    def next_ready(self) -> Coroutine:
        following: Coroutine = self.ready.take()
        while following is not None and following.stage == DONE:
            following = self.ready.take()  # cancelled before it started
        return following

    @cython.cfunc
    def stack_of(self, following: Coroutine | None) -> cython.pointer(PyObject):
        """Make `following` the current one. Its stack, or home where it cannot be entered."""
        context: Context
        if following is None:
            self.home_visits += 1
            self.current = None
            return cython.cast(cython.pointer(PyObject), self.home)
        if self.trim_due:
            return self.home_first(following)
        if following.stack is None:
            context = self.pool.take()
            if context is None:
                # Only home may start a context: started here, it would stand on this stack.
                return self.home_first(following)
            context.coroutine = following
            following.stack = context.stack
        following.stage = RUNNING
        self.current = following
        return cython.cast(cython.pointer(PyObject), following.stack)

    @cython.cfunc
    def home_first(self, following: Coroutine) -> cython.pointer(PyObject):
        self.handed = following
        self.home_visits += 1
        self.current = None
        return cython.cast(cython.pointer(PyObject), self.home)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def switch(self, stack: cython.pointer(PyObject), away: Coroutine | None) -> cython.int:
        """Go on over there; returns when somebody switches back to this stack, to `away`."""
        self.switches += 1
        if switch(stack) != 0:
            self.switch_failed(take_error(), away)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def switch_failed(self, error, away: Coroutine | None) -> cython.int:
        following: Coroutine = self.current
        if is_switch_error(error):
            # Nobody has run since: the stack of `following` cannot be entered any more.
            self.current = None
            if following is not None:
                following.finish(None, error)
            home: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), self.home)
            if current_stack() is not self.home and switch(home) != 0 and away is not None:
                away.pending = take_error()
        elif away is None:
            raise error
        else:
            away.pending = error  # somebody threw it into this stack
        return 0

    @cython.cfunc
    def after_finish(self, context: Context) -> Coroutine:
        """What a context runs after the coroutine it has just finished; None ends it."""
        self.current = None
        following: Coroutine = self.leave(None)
        if following is not None and following.stage == NEW and not self.trim_due:
            following.stack = context.stack  # in place: no switch at all
            following.stage = RUNNING
            self.current = following
            return following
        self.pool.give(context)
        stack = self.stack_of(following)
        following = None  # as in switch_away
        self.switch(stack, None)
        return context.coroutine

    # -- the outside world ------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def run_microtasks(self) -> cython.int:
        try:
            self.microtasks.run()
        except BaseException as error:
            self.unhandled(error)  # who suspends did nothing wrong
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def poll_if_due(self) -> cython.int:
        # Whoever the outside world wakes stands behind those: it would not run any sooner.
        if self.turns < self.backlog:
            return 0
        now: cython.double = self.reactor.now()
        if self.turns >= TURNS_PER_POLL or now - self.last_poll >= SECONDS_PER_POLL:
            self.poll(False)
            self.trim_due = self.pool.is_due(now)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def poll(self, wait: cython.bint) -> cython.int:
        self.polls += 1
        try:
            if wait and not self.reactor.active:
                self.reactor.look_at_threads()
            else:
                self.reactor.poll(wait)
            self.failed_polls = 0
        except HandlerError as raised:
            if not self.interrupt(raised.error):
                self.unhandled(raised.error)
        except BaseException as error:
            self.failed_polls += 1
            self.unhandled(error)
        self.turns = 0
        self.backlog = self.ready.count
        self.last_poll = self.reactor.now()
        return 0

    # -- what others ask of it -------------------------------------------------------------------

    @cython.cfunc
    def spawn(self, function, args: tuple, kwargs: dict, priority: cython.int) -> Coroutine:
        children: Block = None
        if self.current is not None and self.current.inside is not None:
            children = children_around(self.current.inside)
        return self.spawn_into(children, function, args, kwargs, priority)

    @cython.cfunc
    def spawn_into(self, children: Block | None, function, args, kwargs, priority: cython.int):
        if self.hard:
            raise UsageError("the run is being shut down; nothing can be spawned any more")
        coroutine: Coroutine = new_coroutine(self, function, args, kwargs)
        if children is not None:
            cython.cast(Children, children).add(coroutine)
        coroutine.priority = priority
        coroutine.number = self.spawned
        self.spawned += 1
        self.ready.put(coroutine)
        self.registry.add(coroutine)
        return coroutine

    def add_microtask(self, microtask: Microtask) -> None:
        """Run it before the next switch. Never suspends. Not for other threads."""
        self.microtasks.add(microtask)

    def unhandled(self, error) -> None:
        """Nobody took this error: shut down gracefully, and let `run` raise it."""
        self.shutdown.begin(error)

    def unclaimed(self, owner, error) -> None:
        """The last reference to what had failed went, and nobody had asked for the error."""
        if scheduler_here() is self:
            self.unhandled(error)
        else:
            # The run is over, or it is another thread's: all that is left is to say it.
            PyErr_SetObject(type(error), error)
            PyErr_WriteUnraisable(owner)

    def interrupt(self, error) -> bool:
        """Raise `error` in the main coroutine at its wait, if that still runs.

        False if that is not possible: main runs just now, or has one pending already.
        """
        main: Coroutine = self.main
        if main is None or (main.stage == DONE and self.shutdown.phase != "running"):
            return False
        if main.stage == DONE:
            self.unhandled(error)
        elif main.stage == RUNNING or main.pending is not None:
            return False
        elif main.stage == NEW:
            self.unhandled(error)
            return cancel_coroutine(main, error, False)
        else:
            main.throw(error)
        return True

    def cancel_all(self, cancelled_class, reason: str, again: bool = False) -> None:
        """Cancel every coroutine; `again` also those that have been cancelled before."""
        coroutine: Coroutine
        for coroutine in self.registry.all():
            cancel_coroutine(coroutine, cancelled_class(reason), again)

    def abandon(self, coroutine: Coroutine) -> None:
        """Leave it where it stands, for ever, and say so in what `run` raises."""
        self.shutdown.abandon(coroutine, coroutine.stack)
        if coroutine.has_handlers():
            call_handlers(coroutine, 2)
        coroutine.finish(None, coroutine.cancellation())

    def coroutines(self) -> list:
        """Every coroutine that lives, in the order of spawning. Never suspends."""
        return self.registry.all()

    def stats(self) -> dict:
        """Counters of this run, for people and tests. Never suspends."""
        return {
            "coroutines": self.registry.count,
            "unclaimed_errors": self.unclaimed_errors,
            "ready": self.ready.count,
            "microtasks": self.microtasks.count,
            "active_events": self.reactor.active,
            "spawned": self.spawned,
            "switches": self.switches,
            "polls": self.polls,
            "home_visits": self.home_visits,
            "contexts_in_use": self.pool.in_use,
            "contexts_idle": len(self.pool.idle),
            "contexts_created": self.pool.created,
        }

"""Scope: coroutines that are begun, waited for and cancelled together.

A Scope is what the user holds; who is in it, and the rules, are in scheduler/children.py.
They are two so that the last reference to this one can mean something.
"""

import cython
from cython.cimports.trueasync.scheduler.calls import Options
from cython.cimports.trueasync.scheduler.cancel import cancel_block
from cython.cimports.trueasync.scheduler.children import Children, children_around, new_children
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import require_scheduler, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import Cancelled, UsageError
from ..scheduler.groups import new_group


@cython.final
@cython.cclass
class Scope:
    """Made by `scope()`. Not for other threads than that of the run."""

    def __init__(self, name: str | None = None, on_error=None):
        self.children = new_children(name, on_error)
        self.owner = True

    def spawn(self, function, /, *args, **kwargs) -> Coroutine:
        """As `trueasync.spawn`, into this scope, wherever it is called.

        Never suspends. Not for other threads than that of the run.
        """
        self.require_thread("spawn")
        scheduler: Scheduler = self.children.scheduler
        return scheduler.spawn_into(self.children, function, args, kwargs or None, 0)

    def options(self, *, name: str | None = None, priority: int = 0):
        """`s.options(name="db").spawn(function, ...)`, as `trueasync.options`, into this scope.

        Never suspends. Not for other threads than that of the run.
        """
        self.require_thread("options")
        options: Options = Options(name, priority)
        options.children = self.children
        return options

    def cancel(self, reason=None, *, grace=None) -> None:
        """Cancel every coroutine in it and below it, and the body of its `with` statement.

        Their clean-ups may wait; those that still live when `grace` seconds have passed are
        cancelled again at every wait. A second call changes only the grace.
        Never suspends. Not for other threads than that of the run.
        """
        self.require_thread("cancel")
        children: Children = self.children
        children.cancel("cancel() was called" if reason is None else str(reason))
        if grace is not None and (children.count or children.coroutine is not None):
            children.give_grace(grace)

    def wait(self, timeout=None) -> None:
        """Wait until all its coroutines have ended, and raise the errors of those that failed.

        After `timeout` seconds, TimeoutError. For a scope without a `with` statement, whose
        end waits anyway. A coroutine that belongs to the scope cannot wait for it.
        Suspends the coroutine, except when nobody is in it. Not for other threads.
        """
        self.require_thread("wait")
        children: Children = self.children
        scheduler: Scheduler = children.scheduler
        if scheduler.current is not None and children.is_above(scheduler.current):
            raise UsageError(
                f"{scheduler.current.name} belongs to {children.where()} and would wait for itself"
            )
        timer = None if timeout is None else scheduler.reactor.timer(timeout)
        while children.count:
            if scheduler.wait(children.emptied(), timer) is timer and timer is not None:
                raise TimeoutError(
                    f"{children.where()} has not ended within {timeout} s: "
                    f"{children.count} in it still run"
                )
        if children.failures:
            failures: list = children.failures
            children.failures = []
            raise new_group(f"errors in {children.where()}", failures)

    def __enter__(self):
        children: Children = self.children
        current: Coroutine = children.scheduler.current
        if current is not None and children.is_above(current):
            raise UsageError(
                f"{current.name} belongs to {children.where()}; leaving that would wait for itself"
            )
        children.open("scope()")
        if children.parent is not None:
            if children.count:
                children.parent.lower.discard(children)
                children.parent.one_less()
            children.parent = None
        if children.cancelled:
            cancel_block(children, Cancelled(f"{children.where()} was cancelled"))
        return self

    def __exit__(self, kind, error, traceback):
        return self.children.leave_body(error)

    @property
    def name(self) -> str:
        """The name it was given, or where it was made."""
        return self.children.where() if self.children.name is None else self.children.name

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled: by `cancel`, by a failure in it, or from further out."""
        return self.children.cancelled

    @property
    def coroutines(self) -> list:
        """Those of its coroutines that live, the oldest first; not those of scopes below."""
        return self.children.coroutines()

    @property
    def values(self) -> dict:
        """A dict for what all in this scope share."""
        if self.children.values is None:
            self.children.values = {}
        return self.children.values

    def __repr__(self):
        state = "ended" if self.children.ended else f"{self.children.count} in it"
        if self.children.cancelled:
            state += ", cancelled"
        return f"<Scope {self.name}, {state}>"

    def __eq__(self, other):
        return isinstance(other, Scope) and cython.cast(Scope, other).children is self.children

    def __hash__(self):
        return hash(self.children)

    def __del__(self):
        """Nobody can wait for its coroutines any more: they are cancelled."""
        children: Children = self.children
        if not self.owner or children is None or children.coroutine is not None:
            return
        if children.count == 0 and not children.failures:
            return
        scheduler: Scheduler = children.scheduler
        if scheduler_here() is scheduler or not scheduler.reactor.post(children.orphan):
            children.orphan()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def require_thread(self, call: str) -> cython.int:
        if scheduler_here() is not self.children.scheduler:
            raise UsageError(
                f"{call}() of {self.children.where()} was called from outside the run it belongs "
                "to; a scope may be used only in the thread and run that made it"
            )
        return 0


def scope(*, name: str | None = None, on_error=None) -> Scope:
    """Coroutines that end together: `with scope() as s: s.spawn(function, ...)`.

    Leaving the `with` statement waits until all have ended. If one fails, or the body does,
    the others are cancelled, and the errors are raised as one ExceptionGroup.
    `on_error(coroutine, error)` sees each error first; if it returns true, the error is dealt
    with and nobody is cancelled.
    Without a `with` statement, the scope lives as long as this object.
    Never suspends; leaving the `with` statement does, as long as anybody is in it.
    Not for other threads than that of the run.
    """
    return Scope(name, on_error)


def current_scope() -> Scope:
    """The innermost scope around the caller, which `spawn` spawns into, or None.

    Never suspends. Not for other threads than that of the run.
    """
    scheduler: Scheduler = require_scheduler("current_scope")
    if scheduler.current is None:
        return None
    children: Children = children_around(scheduler.current.inside)
    if children is None:
        return None
    found: Scope = Scope.__new__(Scope)
    found.children = children
    return found

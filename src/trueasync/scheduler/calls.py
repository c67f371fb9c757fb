"""What a program calls from inside: spawn, suspend, sleep, and who is here."""

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import require_scheduler, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from ..errors import UsageError
from .moment import Priority


def spawn(function, /, *args, **kwargs) -> Coroutine:
    """Run `function(*args, **kwargs)` in a coroutine of its own, and return that.

    It runs when its turn comes, never at once; the first to be spawned runs first.
    Never suspends. Not for other threads than that of the run.
    """
    return require_scheduler("spawn").spawn(function, args, kwargs or None, 0)


def suspend() -> None:
    """Let everyone who may run go first. Suspends the coroutine. Not for other threads."""
    require_scheduler("suspend").pause()


def sleep(seconds: float, /) -> None:
    """Wait `seconds`; 0 lets everyone who may run go first.

    Suspends the coroutine. Not for other threads than that of the run.
    """
    scheduler: Scheduler = require_scheduler("sleep")
    if seconds == 0:
        scheduler.pause()
    else:
        scheduler.wait(scheduler.reactor.timer(seconds))


def current_coroutine() -> Coroutine:
    """The coroutine that runs here. Never suspends. Safe from any thread."""
    coroutine: Coroutine = require_scheduler("current_coroutine").current
    if coroutine is None:
        raise UsageError("no coroutine runs here: this is called by the scheduler itself")
    return coroutine


def in_coroutine() -> bool:
    """Whether a coroutine runs here. Never suspends. Safe from any thread."""
    scheduler: Scheduler = scheduler_here()
    return scheduler is not None and scheduler.current is not None


def in_run() -> bool:
    """Whether a run goes on in this thread. Never suspends. Safe from any thread."""
    return scheduler_here() is not None


def get_coroutines() -> list:
    """Every coroutine of this thread's run that lives, the oldest first.

    Never suspends. Safe from any thread.
    """
    scheduler: Scheduler = scheduler_here()
    return [] if scheduler is None else scheduler.coroutines()


def running_scheduler(call: str) -> Scheduler:
    """The scheduler of this thread, or UsageError in the name of `call`. Never suspends."""
    return require_scheduler(call)


@cython.cclass
class Options:
    """How to spawn, where the default does not fit. Not for other threads."""

    def __init__(
        self, name: str | None = None, priority: int = Priority.NORMAL, refusal: str | None = None
    ):
        self.name = name
        self.priority = Priority(priority)
        self.refusal = refusal

    def spawn(self, function, /, *args, **kwargs) -> Coroutine:
        """As `spawn`, with these options. Never suspends."""
        if self.refusal is not None:
            raise UsageError(self.refusal)
        scheduler: Scheduler = require_scheduler("spawn")
        coroutine: Coroutine
        if self.children is None:
            coroutine = scheduler.spawn(function, args, kwargs or None, self.priority)
        else:
            coroutine = scheduler.spawn_into(
                self.children, function, args, kwargs or None, self.priority
            )
        coroutine.need_extras().name = self.name
        return coroutine

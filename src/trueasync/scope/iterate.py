"""iterate: one function over the items of one iterator, by several coroutines.

The worker that holds the iterator takes an item and works on it. A microtask stands ready
meanwhile: it runs when that worker waits, and sends another to go on with the iterator.
Work that never waits so costs one coroutine in all, and no queue in between.
"""

from __future__ import annotations

import contextvars
import sys

from ..events.event import Event, Listener
from ..scheduler.calls import running_scheduler
from ..scheduler.coroutine import Coroutine
from ..scheduler.groups import group_of
from ..scheduler.location import user_frame
from ..scheduler.microtasks import Microtask
from .scope import Scope

__all__ = ["iterate"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    T = TypeVar("T")


def iterate(items: Iterable[T], function: Callable[[T], Any], concurrency: int = 0) -> None:
    """Call `function(item)` for each item, several at the same time; 0 is no limit.

    Each item goes to one call. The first error cancels the calls under way and is raised
    here; no further item is taken. Returns when all calls have ended.
    Suspends the coroutine. Not for other threads than that of the run.
    """
    if concurrency < 0:
        raise ValueError(f"concurrency must be 0 or more, not {concurrency}")
    iteration = Iteration(iter(items), function, concurrency)
    del items  # as in a `for` loop, what nobody else holds is closed at the end
    iteration.run()


class Iteration:
    """One call of `iterate`: who works, who holds the iterator, what went wrong."""

    def __init__(self, items: Iterator[Any], function: Callable[[Any], Any], limit: int) -> None:
        self.items = items
        self.function = function
        self.limit = limit
        self.scheduler = running_scheduler("iterate")
        self.contextvars = contextvars.copy_context()
        name = f"iterate({getattr(function, '__qualname__', function)})"
        self.scope = Scope(name)
        self.options = self.scope.options(name=name)
        self.microtask = Microtask(self.add_worker)
        self.workers: dict[Coroutine[None], None] = {}  # in the order of spawning
        self.moving = False  # a worker is inside next(items), which may wait
        self.exhausted = False
        self.errors: list[BaseException] = []
        self.frame = user_frame(sys._getframe())  # workers are spawned for who called iterate

    def run(self) -> None:
        interruption = None
        try:
            with self.scope:
                self.add_worker()
        except BaseException as error:
            interruption = error
        # It holds us: broken here, an abandoned generator is closed now, where it may wait.
        self.microtask.cancel()
        del self.microtask, self.items, self.frame
        if interruption is not None:
            self.errors.append(interruption)  # an error in a clean-up comes before it
        if self.errors:
            raise self.errors[0] from group_of(self.errors[1:])

    def add_worker(self) -> None:
        """The worker that held the iterator waits: send another, if one may be added."""
        if self.is_over() or self.moving or (self.limit and len(self.workers) >= self.limit):
            return
        # A microtask runs on anyone's stack: values come from who called iterate.
        worker = self.contextvars.run(self.options.spawn, self.work)
        worker.set_spawn_frame(self.frame)
        self.workers[worker] = None
        worker.add_listener(WorkerEnd(self))

    def work(self) -> None:
        # If another is inside next(), that one sends for help when it works and waits.
        while not (self.is_over() or self.moving) and self.take():
            pass

    def is_over(self) -> bool:
        return self.exhausted or self.scope.cancelled

    def take(self) -> bool:
        """Work on the next item; False if there was none."""
        self.moving = True
        try:
            item = next(self.items)
        except StopIteration:
            self.exhausted = True
            return False
        finally:
            self.moving = False
        if self.microtask.count == 0:
            self.scheduler.add_microtask(self.microtask)
        self.function(item)
        return True

    def worker_ended(self, worker: Coroutine[None]) -> None:
        del self.workers[worker]
        try:
            worker.outcome()
        except BaseException as error:
            if not (self.scope.cancelled and worker.cancelled()):
                self.errors.append(error)
                self.scope.cancel(f"a call raised {type(error).__name__}")


class WorkerEnd(Listener):
    """Told when a worker has ended, however it did."""

    def __init__(self, iteration: Iteration) -> None:
        self.iteration = iteration

    def notify(self, event: Event) -> bool:
        assert isinstance(event, Coroutine)
        self.iteration.worker_ended(event)
        return True

"""TaskGroup: a scope that limits how many run at once, and collects what became of each.

In a scope one failure ends all. In a group each failure is that of one task, and raised
where somebody asks for that task; what nobody has asked for is raised at the end.
"""

from __future__ import annotations

import functools
from collections import deque

from ..errors import Cancelled, UsageError
from ..scheduler.groups import new_group
from .news import News
from .scope import Scope
from .task import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from types import TracebackType
    from typing import Any

    from ..scheduler.calls import Options

__all__ = ["TaskGroup"]


class TaskGroup:
    """`with TaskGroup(concurrency=10) as group: group.spawn(fetch, url)`.

    Never more than `concurrency` run at once (0: any number); `queue_limit` more may wait for
    their turn (None: twice as many as may run; 0: any number), and then `spawn` waits.
    Leaving the `with` statement waits for all. Not for other threads.
    """

    def __init__(
        self, concurrency: int = 0, queue_limit: int | None = None, *, name: str | None = None
    ) -> None:
        if concurrency < 0 or (queue_limit or 0) < 0:
            raise ValueError(
                f"concurrency and queue_limit must be 0 or more, not {concurrency}, {queue_limit}"
            )
        self.scope = Scope(name, lambda coroutine, error: True)  # the tasks keep their errors
        self.tasks: dict[Hashable, Task] = {}
        self.closed = False
        waiting = 2 * concurrency if queue_limit is None else queue_limit
        # Apart from us: what runs refers to it, and must not keep us, and so itself, alive.
        self.turns = Turns(self.scope.options(name=name), concurrency, waiting)

    # -- giving it work ---------------------------------------------------------------------

    def spawn(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Task:
        """Run `function(*args, **kwargs)` when it is its turn; its key is its number, from 0.

        Suspends the coroutine while the queue is full. Not for other threads.
        """
        return self.spawn_as(len(self.tasks), function, *args, **kwargs)

    def spawn_as(
        self, key: Hashable, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Task:
        """As `spawn`, under a key of its own.

        Suspends the coroutine while the queue is full. Not for other threads.
        """
        if not callable(function):
            raise TypeError(f"{function!r} is no function to call; give it, then its arguments")
        if key in self.tasks:
            raise ValueError(f"there is a task {key!r} in this group already")
        if self.closed:
            raise UsageError(f"task {key!r} comes too late: the group was closed")
        call = functools.partial(function, *args, **kwargs) if args or kwargs else function
        task = self.tasks[key] = Task(key, call, self.turns.ended)
        try:
            self.turns.take(task)
        except BaseException:
            del self.tasks[key]
            raise
        return task

    def close(self) -> None:
        """Take no more tasks; those it has go on. Never suspends."""
        self.closed = True

    def cancel(self) -> None:
        """Close it and cancel every task; those that wait for their turn never run.

        Never suspends. Not for other threads.
        """
        self.closed = True
        self.turns.drop_queue()
        self.scope.cancel()

    # -- what became of it ------------------------------------------------------------------

    def join(self) -> None:
        """Wait until all its tasks have ended, and raise nothing of theirs.

        Suspends the coroutine, except when they have. Not for other threads.
        """
        for _ in self.turns.as_ended():
            pass

    def results(self) -> dict[Hashable, Any]:
        """Every result by its key, in the order of spawning; waits for all.

        If any failed, their errors as one ExceptionGroup.
        Suspends the coroutine, except when all have ended. Not for other threads.
        """
        self.join()
        errors = [error for task in self.tasks.values() if (error := task.exception())]
        if errors:
            raise new_group("errors in a task group", errors)
        return {key: task.outcome() for key, task in self.tasks.items()}

    def __iter__(self) -> Iterator[Task]:
        """The tasks as they end, each once; over when none is left that has not.

        Each step suspends the coroutine until one has ended. Not for other threads.
        """
        return self.turns.as_ended()

    def first(self) -> Any:
        """The result of the first that ended, or raises its error; the others go on.

        Suspends the coroutine until one has ended. Not for other threads.
        """
        for task in self.turns.as_ended():
            return task.outcome()
        raise LookupError("there is no first of no tasks; spawn one before")

    def first_success(self) -> Any:
        """The result of the first that did not fail; the others go on.

        If all failed, their errors as one ExceptionGroup.
        Suspends the coroutine until one has succeeded, or all failed. Not for other threads.
        """
        errors = []
        for task in self.turns.as_ended():
            error = task.exception()
            if error is None:
                return task.outcome()
            errors.append(error)
        if not errors:
            raise LookupError("there is no first of no tasks; spawn one before")
        raise new_group("every task of the group failed", errors)

    # -- as a block ---------------------------------------------------------------------------

    def __enter__(self) -> TaskGroup:
        self.scope.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        failure = error
        if failure is None:
            try:
                self.join()
            except BaseException as interruption:
                failure = interruption
        if failure is not None:
            self.cancel()
        # A failure joins those of the tasks; anything else, such as Cancelled, is the scope's.
        other = None if isinstance(failure, Exception) else failure
        swallowed = self.scope.__exit__(type(other) if other else None, other, trace)
        self.closed = True
        errors = self.untaken()
        if other is None and failure is not None:
            errors.insert(0, failure)
        if errors and other is None:
            raise new_group(f"errors in {self!r}", errors)
        if other is not None and other is not error and not swallowed:
            raise other
        return swallowed

    def untaken(self) -> list[BaseException]:
        """The errors nobody has asked for, taken by this. Never suspends."""
        failed = [task for task in self.tasks.values() if task.done() and not task.taken]
        errors = [task.exception() for task in failed]
        return [error for error in errors if error and not isinstance(error, Cancelled)]

    def __repr__(self) -> str:
        turns = self.turns
        state = f"{turns.running} running, {len(turns.queue)} waiting"
        return f"<TaskGroup of {len(self.tasks)}: {state}, {len(turns.finished)} ended>"


class Turns:
    """Who runs, who waits for its turn, and who has ended."""

    def __init__(self, options: Options, limit: int, waiting_limit: int) -> None:
        self.options = options
        self.limit = limit
        self.waiting_limit = waiting_limit
        self.running = 0
        self.queue: deque[Task] = deque()
        self.finished: list[Task] = []
        self.at_the_door: deque[Task] = deque()  # their spawners wait until there is room
        self.news = News("a task of a group to end")

    def take(self, task: Task) -> None:
        """Begin it, or queue it. Suspends the coroutine while the queue is full."""
        if self.is_full() or self.at_the_door:
            self.at_the_door.append(task)
            try:
                while self.is_full() or self.at_the_door[0] is not task:
                    self.news.wait()
            finally:
                self.at_the_door.remove(task)
                self.news.tell()  # the next may have room as well
        if self.limit and self.running >= self.limit:
            self.queue.append(task)
        else:
            self.begin(task)

    def is_full(self) -> bool:
        if not self.limit or self.running < self.limit or not self.waiting_limit:
            return False
        return len(self.queue) >= self.waiting_limit

    def begin(self, task: Task) -> None:
        self.running += 1
        task.begin(self.options)

    def ended(self, task: Task) -> None:
        """`task` has ended, or was cancelled before its turn."""
        self.finished.append(task)
        try:
            self.queue.remove(task)
        except ValueError:
            self.running -= 1
        while self.queue and (not self.limit or self.running < self.limit):
            self.begin(self.queue.popleft())
        self.news.tell()

    def drop_queue(self) -> None:
        for task in list(self.queue):
            task.cancel()

    def as_ended(self) -> Iterator[Task]:
        place = 0
        while True:
            while place < len(self.finished):
                place += 1
                yield self.finished[place - 1]
            if not self.running and not self.queue and not self.at_the_door:
                return
            self.news.wait()

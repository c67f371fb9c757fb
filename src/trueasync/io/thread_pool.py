"""ThreadPool: threads with a bound and a queue of bounded length."""

from __future__ import annotations

import os
from collections import deque
from functools import partial

from ..errors import UsageError
from ..reactor.thread_call import ThreadCall
from ..reactor.workers import Crew
from ..scheduler.calls import running_scheduler
from .call import Call
from .executors import check_executor, submit
from .futures import FutureEnd
from .room import Room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future
    from typing import Any, ParamSpec, TypeVar

    from ..reactor.base import Reactor

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["ThreadPool"]


class ThreadPool:
    """At most `workers` functions at a time in native threads, and `queue_limit` in a queue.

    Instead of a number of workers it takes any `concurrent.futures.Executor`, which then has
    at most `queue_limit` functions at a time, and is not shut down with the pool.
    As a context manager it waits at the end for all that was submitted; where an error leaves
    the block, what has not been called is dropped, and nobody waits for the rest.
    Runs in several threads may share one. Not for other threads than theirs. A child of fork
    needs one of its own.
    """

    def __init__(
        self, workers: int | Executor | None = None, queue_limit: int | None = None
    ) -> None:
        """By default as many threads as Python's own pool has, and a queue of four for each."""
        default = min(32, (os.cpu_count() or 1) + 4)
        count = default if workers is None else workers
        if isinstance(count, int):
            self.crew = Crew(count)
            self.executor = None
        else:
            self.executor = check_executor(count)
            count = 0
        limit = 4 * (count or default) if queue_limit is None else queue_limit
        if limit < 0 or count + limit == 0:
            raise ValueError(f"a pool with a queue of {limit} could never call anything")
        self.room = Room(count + limit, "ThreadPool")
        # Those that have not ended, and who reports their end.
        self.calls: dict[ThreadCall | Future[Any], Reactor] = {}
        self.process = os.getpid()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Call[T]:
        """Have `function(*args, **kwargs)` called by a thread, with the caller's contextvars.

        Suspends the coroutine while the queue is full. `UsageError` if the pool is closed.
        An error that nobody asks the result for goes to `sys.unraisablehook`.
        Not for other threads than that of the run.
        """
        if self.process != os.getpid():
            raise UsageError("this pool belongs to the parent process; make one in the child")
        self.room.enter()
        try:
            reactor = running_scheduler("ThreadPool.submit").reactor
            if self.executor is not None:
                return self.keep(reactor, submit(self.executor, function, args, kwargs))
            call = reactor.thread(function, args, kwargs, self.crew)
            call.on_end = partial(self.ended, call)
            self.calls[call] = reactor
            try:
                call.begin()
            except BaseException:
                del self.calls[call]
                raise
        except BaseException:
            self.room.leave()
            raise
        return Call(call)

    def keep(self, reactor: Reactor, future: Future[T]) -> Call[T]:
        """The call of an executor that `future` is for. Never suspends."""
        self.calls[future] = reactor
        future.add_done_callback(self.ended)
        return Call(FutureEnd(reactor, future))

    def ended(self, call: ThreadCall | Future[Any]) -> None:
        """A call has ended, in whatever thread. Never suspends. Safe from any thread."""
        self.calls.pop(call, None)
        self.room.leave()

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """As `offload`, with a thread of this pool. Suspends the coroutine."""
        call = self.submit(function, *args, **kwargs)
        try:
            return call.result()
        except BaseException:
            call.cancel()
            raise

    def map(self, function: Callable[..., T], *iterables: Iterable[Any]) -> Iterator[T]:
        """`function` of each item, or of each set of items, with the results in order.

        The iterables are read only as fast as the pool has room, so they may have no end.
        The first error ends it; what has not been called then never is.
        Suspends the coroutine at each step.
        """
        calls: deque[Call[T]] = deque()
        try:
            for args in zip(*iterables, strict=False):
                if len(calls) >= self.room.size:
                    yield calls.popleft().result()
                calls.append(self.submit(function, *args))
            while calls:
                yield calls.popleft().result()
        finally:
            for call in calls:
                call.cancel()

    def close(self) -> None:
        """Take nothing more, and wait until all that was submitted has ended; twice is once.

        Suspends the coroutine. Not for other threads than that of a run.
        """
        self.room.close()
        if self.process == os.getpid():
            self.room.wait_until_empty()

    def drop(self) -> None:
        """Take nothing more, and have nothing called that has not been yet. Never suspends."""
        self.room.close()
        for call, reactor in list(self.calls.items()):
            if isinstance(call, ThreadCall):
                reactor.post(call.withdraw)  # it may be another thread's
            else:
                call.cancel()

    def __enter__(self) -> ThreadPool:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if kind is not None:
            self.drop()
            return
        try:
            self.close()
        except BaseException:
            self.drop()
            raise

    def __repr__(self) -> str:
        state = ", closed" if self.room.closed else ""
        return f"<ThreadPool, {len(self.calls)} calls{state}>"

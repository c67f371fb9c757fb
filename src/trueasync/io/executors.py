"""Executors of others (threads, processes, clusters): how to give them something to do."""

from __future__ import annotations

import contextvars
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future
    from typing import Any

__all__ = ["check_executor", "submit"]


def check_executor(executor: Any) -> Executor:
    """TypeError unless it is a `concurrent.futures.Executor`, or behaves as one."""
    if not hasattr(executor, "submit"):
        raise TypeError(
            f"{executor!r} is neither a function nor an executor; give the function itself, "
            "then its arguments"
        )
    checked: Executor = executor
    return checked


def submit(
    executor: Executor, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Future[Any]:
    """What `executor.submit` returns. The context travels where it can: to threads."""
    check_executor(executor)
    threads = sys.modules.get("concurrent.futures.thread")
    if threads is not None and isinstance(executor, threads.ThreadPoolExecutor):
        args = (function, *args)
        function = contextvars.copy_context().run
    future: Future[Any] = executor.submit(function, *args, **kwargs)
    return future

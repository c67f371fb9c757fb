"""Waiting for the end of a child in a thread, for systems without pidfd.

One thread for each child that is waited for, whoever waits: a thread that waits cannot be
called back, so it stays until the child ends. It does not reap the child, which would make
a zombie of nobody and a liar of the number: that is for who is told.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["is_running_child", "tell_at_the_end", "tell_no_more"]

lock = allocate_lock()
told: dict[int, list[Callable[[], object]]] = {}  # by the number of the child


def tell_at_the_end(pid: int, tell: Callable[[], object]) -> None:
    """Call `tell()` in another thread when our child `pid` has ended. Never suspends."""
    with lock:
        waiting = told.get(pid)
        if waiting is not None:
            waiting.append(tell)
            return
        told[pid] = [tell]
    import threading

    name = f"trueasync waits for process {pid}"
    try:
        threading.Thread(target=wait_for_child, args=(pid,), name=name, daemon=True).start()
    except BaseException:
        told.pop(pid, None)
        raise


def tell_no_more(pid: int, tell: Callable[[], object]) -> None:
    """Take `tell` back; not to have it told is no error. Never suspends."""
    with lock:
        waiting = told.get(pid, [])
        if tell in waiting:
            waiting.remove(tell)


def wait_for_child(pid: int) -> None:
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    except ChildProcessError:
        pass  # somebody has reaped it
    with lock:
        waiting = told.pop(pid)
    for tell in waiting:
        tell()


def is_running_child(pid: int) -> bool:
    """Whether it is a child of ours that has not ended. Never suspends."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


if hasattr(os, "register_at_fork"):
    # The threads do not exist in a child, and its parent's children are none of its own.
    os.register_at_fork(after_in_child=told.clear)

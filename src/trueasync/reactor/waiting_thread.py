"""Waiting for children in threads: for systems without pidfd, and for any child of many.

One thread for each thing that is waited for, whoever waits: a thread that waits cannot be
called back, so it stays until that happens. It does not reap, which would take the exit code
from whoever it is for: that is for those who are told.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

from ..errors import UsageError
from .base import Reactor, ReactorEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Question = tuple[int, int, int]  # the arguments of os.waitid

__all__ = ["ChildChange", "is_running_child", "tell_no_more", "tell_when_it_changes"]

lock = allocate_lock()
told: dict[Question, list[Callable[[], object]]] = {}


def tell_when_it_changes(question: Question, tell: Callable[[], object]) -> None:
    """Call `tell()` in another thread when `os.waitid(*question)` would not wait.

    Also when there is no such child (any more). Never suspends.
    """
    with lock:
        waiting = told.get(question)
        if waiting is not None:
            waiting.append(tell)
            return
        told[question] = [tell]
    import threading

    name = f"trueasync waits for process {question[1]}"
    try:
        threading.Thread(target=wait, args=(question,), name=name, daemon=True).start()
    except BaseException:
        told.pop(question, None)
        raise


def tell_no_more(question: Question, tell: Callable[[], object]) -> None:
    """Take `tell` back; not to have it told is no error. Never suspends."""
    with lock:
        waiting = told.get(question, [])
        if tell in waiting:
            waiting.remove(tell)


def wait(question: Question) -> None:
    idtype, number, options = question
    try:
        os.waitid(idtype, number, options | os.WNOWAIT)
    except ChildProcessError:
        pass  # somebody has reaped it
    with lock:
        waiting = told.pop(question)
    for tell in waiting:
        tell()


def is_running_child(pid: int) -> bool:
    """Whether it is a child of ours that has not ended. Never suspends."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def nothing() -> None:
    """For a post that is to say whether a reactor is open."""


class ChildChange(ReactorEvent):
    """Fires when `os.waitid(*question)` would not wait. Not for other threads."""

    def __init__(self, reactor: Reactor, question: Question) -> None:
        super().__init__(reactor)
        self.watcher = reactor
        self.question = question

    def arm(self) -> None:
        super().arm()
        try:
            if not self.watcher.post(nothing):
                raise UsageError(f"there is no waiting for {self.info()}: this reactor is closed")
            tell_when_it_changes(self.question, self.tell)
        except BaseException:
            self.disarm()
            raise

    def disarm(self) -> None:
        super().disarm()
        tell_no_more(self.question, self.tell)

    def tell(self) -> None:
        """Called in the thread that waits."""
        self.watcher.post(self.changed)

    def changed(self) -> None:
        if self.starts:
            self.fire()

    def info(self) -> str:
        return "a child to end or to change"


if hasattr(os, "register_at_fork"):
    # The threads do not exist in a child, and its parent's children are none of its own.
    os.register_at_fork(after_in_child=told.clear)

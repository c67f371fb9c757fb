"""sys.stdout and sys.stderr for each coroutine.

Python keeps both per process. `contextlib.redirect_stdout` in one coroutine would show in
all that run until it ends. Here a redirection made in a coroutine is put aside whenever
that coroutine leaves, and back when it enters: a switch handler, only where it is needed.
A coroutine does not inherit the redirection of its spawner; `inherit_output` makes it.
"""

from __future__ import annotations

import sys

from ..scheduler.calls import current_coroutine, in_coroutine
from ..scheduler.coroutine import Coroutine
from ..scheduler.moment import Moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["inherit_output", "install"]


class Redirection:
    """What one coroutine has put in the place of sys.stdout or sys.stderr."""

    def __init__(self, coroutine: Coroutine[Any], stream: str) -> None:
        self.key = (coroutine, stream)
        self.stream = stream
        self.outside = getattr(sys, stream)  # what everyone else sees
        self.inside: Any = None  # while the coroutine is away: what it sees
        self.depth = 0  # redirections of this coroutine inside one another
        redirections[self.key] = self
        coroutine.add_switch_handler(self)

    def __call__(self, coroutine: Coroutine[Any], moment: Moment) -> bool:
        if self.depth == 0:
            return False
        if moment is Moment.ENTER:
            self.outside = getattr(sys, self.stream)
            setattr(sys, self.stream, self.inside)
        else:
            self.inside = getattr(sys, self.stream)
            setattr(sys, self.stream, self.outside)
        if moment is Moment.FINISH:
            self.end()  # it never left its `with`
        return True

    def leave(self) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.end()

    def end(self) -> None:
        self.depth = 0
        redirections.pop(self.key, None)


redirections: dict[tuple[Coroutine[Any], str], Redirection] = {}


def here(stream: str) -> Redirection | None:
    """The redirection of the coroutine that runs here, if it has one."""
    return redirections.get((current_coroutine(), stream)) if in_coroutine() else None


def enter(original: Callable[[Any], Any], redirect: Any, stream: str) -> Any:
    """`redirect.__enter__`, noted for the coroutine that runs here."""
    owner = here(stream)
    if owner is None and in_coroutine():
        owner = Redirection(current_coroutine(), stream)
    if owner is not None:
        owner.depth += 1
    owners(redirect).append(owner)
    return original(redirect)


def leave(original: Callable[..., Any], redirect: Any, stream: str, *error: Any) -> Any:
    """`redirect.__exit__`, for the coroutine that entered it, wherever this runs."""
    owner = owners(redirect).pop()
    before = getattr(sys, stream)
    result = original(redirect, *error)
    if owner is None:
        return result  # entered outside any coroutine: it is everyone's
    if owner is not here(stream):
        # A generator of another coroutine is closed here: ours stays as it is.
        owner.inside = getattr(sys, stream)
        setattr(sys, stream, before)
    elif owner.depth == 1:
        setattr(sys, stream, owner.outside)
    if owner.depth:
        owner.leave()
    return result


def owners(redirect: Any) -> list[Redirection | None]:
    """Whose each entering of a redirection was; they may be entered again and again."""
    found: list[Redirection | None] = redirect.__dict__.setdefault("_trueasync_owners", [])
    return found


def install() -> None:
    """Teach contextlib's redirections about coroutines, once. Never suspends."""
    import contextlib  # not before the first run: it is not cheap to import

    if not installed:
        installed.append(True)
        teach(contextlib.redirect_stdout, "stdout")
        teach(contextlib.redirect_stderr, "stderr")


installed: list[bool] = []


def teach(redirect: Any, stream: str) -> None:
    original_enter, original_exit = redirect.__enter__, redirect.__exit__
    redirect.__enter__ = lambda self: enter(original_enter, self, stream)
    redirect.__exit__ = lambda self, *error: leave(original_exit, self, stream, *error)


def inherit_output(function: Callable[P, T]) -> Callable[P, T]:
    """`spawn(inherit_output(fn))`: fn writes where sys.stdout and sys.stderr point now.

    Never suspends. Safe from any thread.
    """
    import contextlib
    import functools

    stdout, stderr = sys.stdout, sys.stderr

    @functools.wraps(function)
    def redirected(*args: P.args, **kwargs: P.kwargs) -> T:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            return function(*args, **kwargs)

    return redirected

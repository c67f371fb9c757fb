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

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.outside = getattr(sys, stream)  # what everyone else sees
        self.inside: Any = None  # while the coroutine is away: what it sees
        self.depth = 0  # nested redirections of the same coroutine

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
            del redirections[coroutine, self.stream]  # it never left its `with`
        return True


redirections: dict[tuple[Coroutine[Any], str], Redirection] = {}


def enter(original: Callable[[Any], Any], redirect: Any) -> Any:
    """`redirect.__enter__`, noted for the coroutine that runs here."""
    if not in_coroutine():
        return original(redirect)
    coroutine = current_coroutine()
    key = (coroutine, redirect._stream)
    if key not in redirections:
        redirections[key] = Redirection(redirect._stream)
        coroutine.add_switch_handler(redirections[key])
    redirections[key].depth += 1
    return original(redirect)


def leave(original: Callable[..., Any], redirect: Any, *error: Any) -> Any:
    """`redirect.__exit__`; after the outermost, the coroutine sees what all see."""
    result = original(redirect, *error)
    if not in_coroutine():
        return result
    key = (current_coroutine(), redirect._stream)
    redirection = redirections.get(key)
    if redirection is not None:
        redirection.depth -= 1
        if redirection.depth == 0:
            setattr(sys, redirect._stream, redirection.outside)
            del redirections[key]
    return result


def install() -> None:
    """Teach contextlib's redirections about coroutines, once. Never suspends."""
    import contextlib  # not before the first run: it is not cheap to import

    for redirect in (contextlib.redirect_stdout, contextlib.redirect_stderr):
        if redirect not in installed:
            installed.append(redirect)
            teach(redirect)


installed: list[Any] = []


def teach(redirect: Any) -> None:
    original_enter, original_exit = redirect.__enter__, redirect.__exit__
    redirect.__enter__ = lambda self: enter(original_enter, self)
    redirect.__exit__ = lambda self, *error: leave(original_exit, self, *error)


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

"""The exit phase: what `atexit` and `weakref.finalize` have to call may wait, in a run of its own.

From the first run on, `atexit.register` registers a Callback around the function. Python calls
them at exit as ever, the last registered first. The first that is called starts a run, and in
it all are called in turn: one that waits does not hold up those behind it.
"""

from __future__ import annotations

import atexit
import sys
from _weakref import ref

from .scheduler.calls import in_run
from .scope.in_turn import InTurn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = ["install"]


class Callback:
    """A registered call. It is equal to its function: by that `atexit.unregister` finds it."""

    def __init__(
        self, function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.called = False

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self.function == other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return repr(self.function)  # what Python names where a callback fails

    def __call__(self) -> None:
        phase.begin()
        if not self.called:  # there was no phase: inside a run, and after one that failed
            self.call()

    def call(self) -> None:
        self.called = True
        self.function(*self.args, **self.kwargs)


class ExitPhase:
    """Begins with the first callback that Python calls at exit, once."""

    def __init__(self) -> None:
        # Python holds the callbacks, for as long as they are registered.
        self.callbacks: list[ref[Callback]] = []
        self.register: Callable[..., object] = atexit.register
        self.run: Callable[[Callable[[], None]], None] | None = None
        self.begun = False

    def install(self, run: Callable[[Callable[[], None]], None]) -> None:
        if self.run is None:
            self.run = run
            self.register(phase.begin)  # for those registered before, and for finalizers
            register.__doc__ = atexit.register.__doc__
            atexit.register = register

    def begin(self) -> None:
        if self.begun or self.run is None or in_run():
            return
        self.begun = True
        if self.callbacks or finalizers_left() or atexit._ncallbacks() > 1:
            try:
                self.run(InTurn(self.calls(), report, "exit").work)
            except BaseException as error:
                report(error)  # and Python calls what has not been called, one after another

    def calls(self) -> Iterator[Callable[[], object]]:
        while self.callbacks:
            callback = self.callbacks.pop()()
            if callback is not None and not callback.called:
                yield callback.call
        while call := finalizers_left():
            yield call
        # Those that were registered before us, or past us. All others are called already.
        yield atexit._run_exitfuncs


def finalizers_left() -> Callable[[], object] | None:
    """What calls the `weakref.finalize` objects that are due at exit, while there are any."""
    weakref = sys.modules.get("weakref")
    finalize = getattr(weakref, "finalize", None)
    if finalize is None or finalize._shutdown or not finalize._select_for_exit():
        return None
    call: Callable[[], object] = finalize._exitfunc
    return call


def register(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    if not callable(function):
        return phase.register(function)  # says what is wrong
    callback = Callback(function, args, kwargs)
    phase.register(callback)
    phase.callbacks.append(ref(callback))
    return function


def report(error: BaseException) -> None:
    sys.excepthook(type(error), error, error.__traceback__)


phase = ExitPhase()
install = phase.install

from collections.abc import Callable
from typing import Any

from typing_extensions import disjoint_base

from .base import Reactor, ReactorEvent
from .workers import Crew

@disjoint_base
class ThreadCall(ReactorEvent):
    may_fail: bool
    on_end: Callable[[], object] | None
    def __init__(
        self,
        reactor: Reactor,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        crew: Crew | None = None,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def stage(self) -> int: ...
    def begin(self) -> None: ...
    def withdraw(self) -> bool: ...
    def perform(self) -> None: ...
    def deliver(self) -> None: ...

def tell_unraisable(error: BaseException, where: object) -> int: ...

from collections.abc import Callable
from typing import Any, final

from .ring import Ring

@final
class Microtask:
    def __init__(
        self, handler: Callable[[], Any], destructor: Callable[[], Any] | None = None
    ) -> None: ...
    @property
    def cancelled(self) -> bool: ...
    @property
    def count(self) -> int: ...
    def cancel(self) -> None: ...

@final
class MicrotaskQueue(Ring): ...

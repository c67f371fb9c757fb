from typing import Any, final

from .base import ReactorEvent

@final
class Signal(ReactorEvent):
    def __init__(self, *args: Any) -> None: ...
    @property
    def number(self) -> int: ...

from typing import Any, final

from .base import ReactorEvent

@final
class Work(ReactorEvent):
    def __init__(self, *args: Any) -> None: ...

from typing import Any, final

from .base import ReactorEvent
from .reactor import UvReactor

@final
class Timer(ReactorEvent):
    def __new__(cls, reactor: UvReactor, delay: float) -> Timer: ...
    def __init__(self, *args: Any) -> None: ...
    @property
    def delay(self) -> float: ...

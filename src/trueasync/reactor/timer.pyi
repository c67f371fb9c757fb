from typing import Any, final

from .base import Reactor, ReactorEvent
from .heap import TimerHeap

@final
class Timer(ReactorEvent):
    def __new__(cls, reactor: Reactor, heap: TimerHeap, delay: float) -> Timer: ...
    def __init__(self, *args: Any) -> None: ...
    @property
    def delay(self) -> float: ...

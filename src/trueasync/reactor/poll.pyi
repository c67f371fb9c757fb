from typing import Any, final

from .base import Descriptor, ReactorEvent

@final
class Poll(ReactorEvent):
    def __init__(self, *args: Any) -> None: ...
    def again(self) -> None: ...

@final
class Line: ...

@final
class UvDescriptor(Descriptor): ...

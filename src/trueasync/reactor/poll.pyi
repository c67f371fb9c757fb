from typing import Any, final

from .base import Descriptor, Readiness

@final
class Poll(Readiness):
    def __init__(self, *args: Any) -> None: ...

@final
class Line: ...

@final
class UvDescriptor(Descriptor): ...

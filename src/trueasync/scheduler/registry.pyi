from typing import Any, final

from .coroutine import Coroutine

@final
class Registry:
    @property
    def count(self) -> int: ...
    def all(self) -> list[Coroutine[Any]]: ...

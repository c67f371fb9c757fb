from collections.abc import Callable
from typing import Any, final

@final
class Unbound:
    def __init__(self, function: Callable[..., Any]) -> None: ...
    def __call__(self, *arguments: Any, **keywords: Any) -> Any: ...

from typing import Any, TypeVar

from .arrivals import Arrivals
from .awaitable import Awaitable
from .channel import Channel, SendCase

_T = TypeVar("_T")

def select(
    *cases: Channel[_T] | Arrivals[_T] | Awaitable[_T] | SendCase[Any], timeout: float | None = None
) -> tuple[int, _T]: ...

from typing import Any, final

from ..events.event import Listener
from .pool import Pool

def check_health(pool: Pool[Any]) -> None: ...

@final
class Due(Listener): ...

from types import CodeType, FrameType
from typing import Any

from ..events.event import Event
from .coroutine import Coroutine
from .scheduler import Scheduler

def look(
    coroutine: Coroutine[Any],
) -> tuple[str, CodeType | None, int, list[FrameType], list[Event]]: ...
def heartbeat(scheduler: Scheduler) -> tuple[int, int, int]: ...

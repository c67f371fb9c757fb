from types import CodeType, FrameType
from typing import Any

from ..events.event import Event
from .coroutine import Coroutine
from .scheduler import Scheduler

def look(
    coroutine: Coroutine[Any],
) -> tuple[str, CodeType | None, int, list[FrameType], list[Event]]: ...
def scope_of(coroutine: Coroutine[Any]) -> object: ...
def look_at_scope(
    children: object,
) -> tuple[object, CodeType | None, int, bool, Coroutine[Any] | None, object]: ...
def heartbeat(scheduler: Scheduler) -> tuple[int, int, int]: ...

from typing import Any, final

from ..events.event import Event, Listener
from .coroutine import Coroutine

@final
class Waker(Listener):
    def __new__(
        cls,
        coroutine: Coroutine[Any],
        first: Event,
        second: Event | None = None,
        others: list[Event] | None = None,
    ) -> Waker: ...
    @property
    def first(self) -> Event: ...
    @property
    def second(self) -> Event | None: ...
    @property
    def others(self) -> list[Event] | None: ...
    @property
    def winner(self) -> Event | None: ...

from typing import final

from ..events.event import Event

BARE: tuple[type[BaseException], ...]

@final
class AllEnded(Event): ...

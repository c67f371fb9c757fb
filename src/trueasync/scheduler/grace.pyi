from typing import final

from ..events.event import Event, Listener

@final
class Grace(Listener):
    def notify(self, event: Event) -> bool: ...

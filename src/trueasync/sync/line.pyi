from typing import final

from typing_extensions import disjoint_base

from ..events.event import Event

@disjoint_base
class Turn(Event):
    def __call__(self) -> None: ...

@final
class Line:
    @property
    def count(self) -> int: ...

def note_fork() -> None: ...

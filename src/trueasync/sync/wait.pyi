from typing import final

from ..events.event import Listener

def clock() -> float: ...

@final
class ThreadWaker(Listener): ...

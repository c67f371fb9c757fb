from typing import final

from .scheduler import Scheduler

@final
class ContextPool:
    def __init__(self, scheduler: Scheduler) -> None: ...
    @property
    def in_use(self) -> int: ...
    @property
    def created(self) -> int: ...

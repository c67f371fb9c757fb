from typing import final

from .reactor import UvReactor

@final
class SignalWakeup:
    def __init__(self, reactor: UvReactor) -> None: ...

def is_main_thread() -> bool: ...

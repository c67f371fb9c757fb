from typing import Any, final

@final
class SignalLine:
    def __init__(self, *args: Any) -> None: ...

@final
class Signals: ...

def after_fork() -> None: ...

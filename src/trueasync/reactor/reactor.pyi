from typing import NoReturn, final

from .base import Reactor

@final
class UvReactor(Reactor):
    # It takes none; Cython makes it look as if it took any.
    def __init__(self, *args: NoReturn) -> None: ...

def message_of(status: int) -> str: ...
def libuv_version() -> str: ...

from typing import TypeVar, final

from .channel import Channel

_T = TypeVar("_T")

@final
class ThreadChannel(Channel[_T]): ...

from typing_extensions import disjoint_base

from ..events.event import Listener

@disjoint_base
class Block(Listener): ...

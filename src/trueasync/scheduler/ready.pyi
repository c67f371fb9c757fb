from typing import final

from .order import Order
from .ring import Ring

@final
class ReadyQueue(Ring):
    def __init__(self, order: Order | None = None) -> None: ...

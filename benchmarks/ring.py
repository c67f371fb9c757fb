"""The turns of coroutines that yield to each other, counted without slowing them down.

Each coroutine loops over a range iterator of its own. How many turns are left can be read
off the iterators at any moment, so the loops themselves count nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import length_hint

from benchmarks.meter import Meter


class Ring:
    """Measures from the first coroutine that begins its turns to the first that ends them.

    Starting and ending the coroutines is therefore not part of the cost.
    """

    def __init__(self, meter: Meter, coroutines: int, turns: int) -> None:
        self.meter = meter
        self.turns: list[Iterator[int]] = [iter(range(turns)) for _ in range(coroutines)]
        self.left_at_start = 0

    def begin(self) -> None:
        """To be called by each coroutine when all of them have started."""
        if not self.left_at_start:
            self.left_at_start = self.left()
            self.meter.start()

    def end(self) -> None:
        """To be called by each coroutine after its last turn."""
        if self.meter.running:
            self.meter.stop()
            self.meter.count(self.left_at_start - self.left())

    def left(self) -> int:
        """How many turns all coroutines together still have."""
        return sum(map(length_hint, self.turns))

"""Seeded schedules, for tests: who is next is drawn instead of first come.

A program that is only right in the usual order fails in some of these, and the seed brings
the failing order back: TRUEASYNC_SCHED=random:SEED or pct:SEED.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence
    from typing import Protocol

    class Numbered(Protocol):
        """A coroutine, as far as an order looks at it."""

        @property
        def number(self) -> int:
            """How many were spawned before it."""

    class Order(Protocol):
        """Chooses who of a ready queue runs next."""

        name: str

        def choose(self, ready: Sequence[Numbered]) -> int:
            """The index of the next in `ready`, which has two or more. Must not suspend."""


__all__ = ["PctOrder", "RandomOrder", "order_from_environment", "parse_order"]


def seeded(seed: int) -> random.Random:
    import random  # only a test that asks for a seeded order pays for it

    return random.Random(seed)


class RandomOrder:
    """Every second time the head, every second time any."""

    def __init__(self, seed: int) -> None:
        self.name = f"random:{seed}"
        self.random = seeded(seed)

    def choose(self, ready: Sequence[Numbered]) -> int:
        if self.random.getrandbits(1):
            return 0
        return self.random.randrange(len(ready))


class PctOrder:
    """Probabilistic concurrency testing: a random priority each, and a few demotions.

    A bug that needs `depth` things in the wrong order is found with a probability that has a
    lower bound (Burckhardt et al., 2010), where plain random order may never find it.
    """

    # One that only yields must not keep the others from ever running.
    MOST_IN_A_ROW = 100

    def __init__(self, seed: int, depth: int = 3, steps: int = 1000) -> None:
        self.name = f"pct:{seed}"
        self.random = seeded(seed)
        self.demotions = {self.random.randrange(steps) for _ in range(depth - 1)}
        self.priorities: dict[int, float] = {}
        self.lowest = 0.0
        self.step = 0
        self.last = -1
        self.in_a_row = 0

    def choose(self, ready: Sequence[Numbered]) -> int:
        self.step += 1
        best = max(range(len(ready)), key=lambda index: self.priority(ready[index].number))
        number = ready[best].number
        self.in_a_row = self.in_a_row + 1 if number == self.last else 0
        self.last = number
        if self.step in self.demotions or self.in_a_row >= self.MOST_IN_A_ROW:
            self.lowest -= 1.0
            self.priorities[number] = self.lowest
        return best

    def priority(self, number: int) -> float:
        return self.priorities.setdefault(number, self.random.random())


def parse_order(text: str) -> Order | None:
    """The order that `random:SEED`, `pct:SEED` or `fifo` names."""
    kind, _, seed = text.partition(":")
    if kind == "fifo" or not text:
        return None
    kinds: dict[str, Callable[[int], Order]] = {"random": RandomOrder, "pct": PctOrder}
    if kind not in kinds or not seed.removeprefix("-").isdecimal():
        raise ValueError(
            f"TRUEASYNC_SCHED={text!r} is no schedule; use random:SEED, pct:SEED or fifo"
        )
    return kinds[kind](int(seed))


def order_from_environment() -> Order | None:
    """The order TRUEASYNC_SCHED asks for, or None for first come, first served."""
    return parse_order(os.environ.get("TRUEASYNC_SCHED", ""))

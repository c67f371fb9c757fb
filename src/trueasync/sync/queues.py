"""LifoQueue and PriorityQueue: `Queue` with another order."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TypeVar

from .queue import Queue

T = TypeVar("T")

__all__ = ["LifoQueue", "PriorityQueue"]


class LifoQueue(Queue[T]):
    """As `queue.LifoQueue`: last in, first out. Safe from any thread."""

    def _init(self, maxsize: int) -> None:
        self.queue = []

    def _put(self, item: T) -> None:
        self.queue.append(item)

    def _get(self) -> T:
        item: T = self.queue.pop()
        return item


class PriorityQueue(Queue[T]):
    """As `queue.PriorityQueue`: the smallest first. Safe from any thread."""

    def _init(self, maxsize: int) -> None:
        self.queue = []

    def _put(self, item: T) -> None:
        heappush(self.queue, item)

    def _get(self) -> T:
        item: T = heappop(self.queue)
        return item

"""Changes: what has happened and nobody has taken yet, one for each path."""

from __future__ import annotations

import collections

from ..events.change import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..events.change import Kind

__all__ = ["AllChanges", "Changes"]

# What two changes of one path are together; None: it came and went.
TOGETHER: dict[tuple[Kind, Kind], Kind | None] = {
    ("created", "changed"): "created",
    ("created", "created"): "created",
    ("created", "deleted"): None,
    ("changed", "changed"): "changed",
    ("changed", "created"): "changed",
    ("changed", "deleted"): "deleted",
    ("deleted", "created"): "changed",
    ("deleted", "changed"): "changed",
    ("deleted", "deleted"): "deleted",
}


class Changes:
    """In the order in which they began; those that can be one are one."""

    def __init__(self) -> None:
        self.items: dict[int, Change] = {}
        self.number = 0
        self.latest: dict[str, int] = {}  # by path: which the next one may be added to

    def add(self, change: Change) -> None:
        known = self.latest.get(change.path)
        together = None if known is None else (self.items[known].kind, change.kind)
        if together in TOGETHER and known is not None:
            kind = TOGETHER[together]
            if kind is None:
                del self.items[known], self.latest[change.path]
            else:
                self.items[known] = Change(kind, change.path)
            return
        if change.kind not in ("created", "changed", "deleted"):
            # What came before it was about other files of the same names.
            self.latest.clear()
        else:
            self.latest[change.path] = self.number
        self.items[self.number] = change
        self.number += 1

    def pop(self) -> Change:
        """The oldest; there must be one."""
        number = next(iter(self.items))
        change = self.items.pop(number)
        if self.latest.get(change.path) == number:
            del self.latest[change.path]
        return change

    def __len__(self) -> int:
        return len(self.items)


class AllChanges(collections.deque[Change]):
    """Every one of them, in the order of coming."""

    add = collections.deque.append
    pop = collections.deque.popleft

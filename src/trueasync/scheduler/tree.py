"""The coroutines and scopes of a report as a tree, in which those that are alike are one.

A coroutine stands below the scope it belongs to, and a scope below the coroutine that is in
its `with` statement. Alike are those that look alike and have the same kinds below them.
Nothing here calls itself: a tree may be deep.
"""

from __future__ import annotations

from .report import ScopeReport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from .report import CoroutineReport, RunReport

    Group = list[CoroutineReport] | list[ScopeReport]

__all__ = ["groups_of"]


def groups_of(run: RunReport) -> Iterator[tuple[int, Group]]:
    """Each group with how deep it stands, from the top; those below a group follow it."""
    tree = Tree(run)
    waiting = [(0, group) for group in reversed(tree.alike(tree.roots()))]
    seen: set[int] = set()
    while waiting:
        depth, members = waiting.pop()
        # What another thread reports may have changed meanwhile; it must not go in circles.
        members = [member for member in members if member not in seen]
        seen.update(members)
        if members:
            yield depth, [tree.items[member] for member in members]  # type: ignore[misc]
            below = [lower for member in members for lower in tree.below[member]]
            waiting += [(depth + 1, group) for group in reversed(tree.alike(below))]


class Tree:
    """Who stands below whom, all by numbers: first the coroutines, then the scopes."""

    def __init__(self, run: RunReport) -> None:
        self.items: list[CoroutineReport | ScopeReport] = [*run.coroutines, *run.scopes]
        self.below: list[list[int]] = [[] for _ in self.items]
        self.above: list[int | None] = []
        count = len(run.coroutines)
        by_number = {one.number: place for place, one in enumerate(run.coroutines)}
        for one in run.coroutines:
            self.above.append(None if one.scope is None else count + one.scope)
        for scope in run.scopes:
            owner = None if scope.owner is None else by_number.get(scope.owner)
            parent = None if scope.parent is None else count + scope.parent
            self.above.append(parent if owner is None else owner)
        for place, upper in enumerate(self.above):
            if upper is not None:
                self.below[upper].append(place)
        self.kinds = self.kinds_of_all()

    def roots(self) -> list[int]:
        """Those below nothing; and one of each circle, if there is one."""
        found = [place for place, upper in enumerate(self.above) if upper is None]
        reached = set(self.reach(found))
        for place in range(len(self.items)):
            if place not in reached:
                found.append(place)
                reached.update(self.reach([place]))
        return found

    def reach(self, starts: Sequence[int]) -> list[int]:
        """They and all below them, each after what it stands below."""
        order: dict[int, None] = {}
        waiting = list(starts)
        while waiting:
            place = waiting.pop()
            if place not in order:
                order[place] = None
                waiting += self.below[place]
        return list(order)

    def kinds_of_all(self) -> list[int]:
        """A number for each, the same for those that are alike."""
        numbers: dict[Hashable, int] = {}
        kinds = [-1] * len(self.items)
        for place in reversed(self.reach(self.roots())):
            below = frozenset(kinds[lower] for lower in self.below[place])
            kind = (look_of(self.items[place]), below)
            kinds[place] = numbers.setdefault(kind, len(numbers))
        return kinds

    def alike(self, places: Sequence[int]) -> list[list[int]]:
        groups: dict[int, list[int]] = {}
        for place in places:
            groups.setdefault(self.kinds[place], []).append(place)
        return list(groups.values())


def look_of(item: CoroutineReport | ScopeReport) -> Hashable:
    """What it has in common with those that are alike."""
    if isinstance(item, ScopeReport):
        return item.made_at, item.cancelled
    # By the identity of the stack: a report makes each only once.
    events = tuple(kind_of(event) for event in item.waits_for)
    return item.state, item.spawned_at, id(item.stack), events


def kind_of(event: str) -> str:
    """Its first words, which say what kind of thing it is; numbers and names come later."""
    return " ".join(event.split(" ", 2)[:2])

"""Directory: one directory that is watched, its place in the tree, and the names in it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tree import Tree

__all__ = ["Directory"]


class Directory:
    """A watched directory, its place in the tree, and the names in it."""

    __slots__ = ("name", "names", "parent", "tree", "watch")

    def __init__(self, tree: Tree, parent: Directory | None, name: str) -> None:
        self.tree = tree
        self.parent = parent
        self.name = name
        self.names: dict[str, Directory | None] = {}  # None for what is not watched itself
        self.watch = -1  # its number; -1 where it cannot be watched

    def path_of(self, name: str) -> str:
        """Relative to the root."""
        parts = [name] if name else []
        above: Directory = self
        while above.parent is not None:
            parts.append(above.name)
            above = above.parent
        return os.sep.join(reversed(parts)) or "."

    def all_names(self) -> Iterator[str]:
        """The paths of all in it, what is deeper first."""
        below = [self]
        found = []
        while below:
            directory = below.pop()
            for name, child in directory.names.items():
                found.append(directory.path_of(name))
                if child is not None:
                    below.append(child)
        return reversed(found)

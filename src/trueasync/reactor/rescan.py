"""rescan: find out by looking what happened in a tree while the system could not tell."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .directory import Directory
    from .tree import Tree

__all__ = ["compare", "rescan"]

SLACK = 1_000_000_000  # ns: clocks of file systems are coarse


def rescan(tree: Tree, since: int) -> None:
    """Tell of an overflow, and of what has happened since that time, in ns. Never suspends."""
    if tree.gone:
        return
    tree.settle()
    tree.tell("overflow", tree.root, "")
    looked_at = [tree.root]
    while looked_at:
        directory = looked_at.pop()
        try:
            watched = tree.watch(directory)  # the same name may be another directory by now
        except (FileNotFoundError, NotADirectoryError):
            tree.be_gone()
            return
        if watched:
            looked_at += compare(tree, directory, since - SLACK)


def compare(tree: Tree, directory: Directory, since: int) -> list[Directory]:
    """Tell of what is new, changed or missing in it; the directories that it still has."""
    known = dict(directory.names)
    kept = []
    try:
        entries = list(os.scandir(tree.full_path(directory)))
    except (FileNotFoundError, NotADirectoryError):
        return []  # that of its parent is looked at after this, or a message says so
    for name in known.keys() - {entry.name for entry in entries}:
        tree.deleted(directory, name)
    for entry in entries:
        if entry.name not in known:
            continue
        child = known[entry.name]
        if (child is not None) != (tree.recursive and entry.is_dir(follow_symlinks=False)):
            tree.deleted(directory, entry.name)  # and `read` will find the new one
        elif child is not None:
            kept.append(child)
        elif has_changed(entry, since):
            tree.tell("changed", directory, entry.name)
    for child in tree.read(directory, tell=True):
        tree.enter(child, tell=True)
    return kept


def has_changed(entry: os.DirEntry[str], since: int) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_ctime_ns >= since
    except FileNotFoundError:
        return False  # a message says so

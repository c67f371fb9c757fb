"""Tree: a watched directory, what is in it, and what the system's messages mean for that.

Rules of this file:
1. A directory is watched first and read then. What happens in between is seen twice; the
   names we know tell that it is the same.
2. Names are kept for every directory: so that it can be said what went with one that left,
   and what happened while the system's queue overflowed.
"""

from __future__ import annotations

import os

from ..events.change import Change
from . import inotify
from .directory import Directory
from .rescan import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..events.change import Kind
    from .watches import Watches

__all__ = ["Tree"]


class Tree:
    """What is watched for one path; `changes` is what has happened, until somebody takes it."""

    def __init__(self, watches: Watches, path: str, recursive: bool) -> None:
        self.watches = watches
        self.recursive = recursive
        # A file is watched by its name in its directory: who saves a file often replaces it.
        self.only = "" if os.path.isdir(path) else os.path.basename(path)
        self.path = os.path.dirname(path) if self.only else path
        self.changes: list[Change] = []
        self.moves: dict[int, tuple[Directory, str, Directory | None]] = {}  # begun, by cookie
        self.gone = False
        if self.only:
            os.lstat(path)  # raises, where there is nothing
            self.recursive = False
        self.root = Directory(self, None, "")
        self.above = Directory(self, None, os.path.basename(os.path.realpath(self.path)))
        try:
            self.enter(self.root, tell=False)
        except BaseException:
            self.close()
            raise
        self.watch_above()

    # -- watching -------------------------------------------------------------------------

    def full_path(self, directory: Directory) -> str:
        below = directory.path_of("")
        return self.path if below == "." else os.path.join(self.path, below)

    def enter(self, start: Directory, tell: bool) -> None:
        """Watch a directory, and all below it; `tell` of what is in them."""
        entered = [start]
        while entered:
            directory = entered.pop()
            if self.watch(directory):
                entered += self.read(directory, tell)

    def watch(self, directory: Directory) -> bool:
        """Whether it is watched now. It may have gone, or be nobody's to read."""
        mask = inotify.EVERYTHING_BUT_OF_A_LINK
        if directory is self.root:
            mask = inotify.EVERYTHING
        try:
            number = self.watches.add(directory, self.full_path(directory), mask)
        except (FileNotFoundError, NotADirectoryError):
            if directory is self.root:
                raise
            return False  # a message says so, or will
        except PermissionError:
            if directory is self.root:
                raise
            self.tell("unwatched", directory, "")
            return False
        if number != directory.watch:
            self.watches.remove(directory)
            directory.watch = number
        return True

    def watch_above(self) -> None:
        """The system tells late that a directory has gone where a process still stands."""
        path = os.path.dirname(os.path.realpath(self.path))
        try:
            self.above.watch = self.watches.add(self.above, path, inotify.ENDS)
        except OSError:
            pass  # may not be read: then we are told late

    def read(self, directory: Directory, tell: bool) -> list[Directory]:
        """Learn the names in it; those directories of them that are to be watched, too."""
        found = []
        try:
            entries = os.scandir(self.full_path(directory))
        except (FileNotFoundError, NotADirectoryError):
            return []  # a message says so, or will
        with entries:
            for entry in entries:
                if entry.name in directory.names or not self.is_wanted(entry.name):
                    continue
                child = None
                if self.recursive and entry.is_dir(follow_symlinks=False):
                    child = Directory(self, directory, entry.name)
                    found.append(child)
                directory.names[entry.name] = child
                if tell:
                    self.tell("created", directory, entry.name)
        return found

    def is_wanted(self, name: str) -> bool:
        return not self.only or name == self.only

    def leave(self, start: Directory) -> None:
        """Watch a directory and all below it no more."""
        left = [start]
        while left:
            directory = left.pop()
            self.watches.remove(directory)
            left += [child for child in directory.names.values() if child is not None]

    def close(self) -> None:
        """Watch nothing any more. Never suspends."""
        self.leave(self.root)
        self.watches.remove(self.above)

    # -- what the system says -------------------------------------------------------------

    def tell(
        self, kind: Kind, directory: Directory, name: str, old_path: str | None = None
    ) -> None:
        self.changes.append(Change(kind, directory.path_of(name), old_path))

    def hear(self, directory: Directory, mask: int, cookie: int, name: str) -> None:
        """A message about `name` in `directory`, or about the directory itself."""
        if self.gone:
            return
        if directory is self.above:
            if name == directory.name and mask & (inotify.DELETE | inotify.MOVED_FROM):
                self.be_gone()
        elif not name:
            self.hear_of_itself(directory, mask)
        elif self.is_wanted(name):
            self.hear_of(directory, mask, cookie, name)

    def hear_of(self, directory: Directory, mask: int, cookie: int, name: str) -> None:
        if mask & inotify.CREATE:
            self.created(directory, name, bool(mask & inotify.IS_DIRECTORY))
        elif mask & inotify.DELETE:
            self.deleted(directory, name)
        elif mask & inotify.MOVED_FROM:
            self.moves[cookie] = directory, name, directory.names.pop(name, None)
        elif mask & inotify.MOVED_TO:
            self.moved_to(directory, cookie, name, bool(mask & inotify.IS_DIRECTORY))
        elif mask & inotify.CHANGE:
            self.tell("changed", directory, name)

    def hear_of_itself(self, directory: Directory, mask: int) -> None:
        if directory is self.root:
            if mask & (inotify.GONE | inotify.IGNORED):
                self.be_gone()
        elif mask & inotify.IGNORED and self.watch(directory):
            # Another one has come to its place: what was mounted there has gone.
            compare(self, directory, 0)

    def created(self, directory: Directory, name: str, is_directory: bool) -> None:
        known = name in directory.names
        child = directory.names.get(name)
        if not known:
            directory.names[name] = None
            self.tell("created", directory, name)
        if is_directory and self.recursive:
            if child is None:
                child = directory.names[name] = Directory(self, directory, name)
            self.enter(child, tell=True)

    def deleted(self, directory: Directory, name: str) -> None:
        child = directory.names.pop(name, None)
        if child is not None:
            self.lose(child)
        self.tell("deleted", directory, name)

    def lose(self, child: Directory) -> None:
        """It has gone, with all that is in it."""
        self.leave(child)
        self.changes += [Change("deleted", path) for path in child.all_names()]

    def moved_to(self, directory: Directory, cookie: int, name: str, is_directory: bool) -> None:
        source, old_name, child = self.moves.pop(cookie, (None, "", None))
        replaced = directory.names.get(name)
        if replaced is not None:
            self.lose(replaced)
            del directory.names[name]
        if source is not None:
            self.tell("renamed", directory, name, source.path_of(old_name))
            directory.names[name] = child
            if child is not None:
                child.parent, child.name = directory, name
        elif name in directory.names and not is_directory:
            self.tell("changed", directory, name)  # replaced by one from elsewhere
        else:
            self.created(directory, name, is_directory)

    def settle(self) -> None:
        """Moves that were begun have ended somewhere else: for us they are deletions."""
        moves, self.moves = self.moves, {}
        for directory, name, child in moves.values():
            if child is not None:
                self.lose(child)
            self.tell("deleted", directory, name)

    def be_gone(self) -> None:
        self.settle()
        self.gone = True
        self.close()
        self.tell("gone", self.root, "")

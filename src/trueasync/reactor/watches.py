"""Watches: the system's queue of one reactor, the trees it tells of, and who waits for them."""

from __future__ import annotations

import errno
import os
import time

from ..events.event import Event, Listener
from . import inotify
from .directory import Directory
from .rescan import rescan
from .tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..events.change import Change
    from .base import Descriptor, Reactor
    from .filesystem import Filesystem

__all__ = ["Watches"]

# Both halves of a move are written at once; who read the first may be faster than the second.
SECONDS_FOR_A_MOVE = 0.01
LIMIT = "fs.inotify.max_user_watches"


class Shared:
    """A tree, and those who wait for it."""

    def __init__(self, key: tuple[str, bool], tree: Tree) -> None:
        self.key = key
        self.tree = tree
        self.waiting: dict[Filesystem, None] = {}  # a set in the order of coming
        self.telling = 0  # it is being gone through: keep it, though it may be empty
        self.error: OSError | None = None


class Watches(Listener):
    """Opens the queue for the first tree, closes it after the last. Not for other threads."""

    def __init__(self, reactor: Reactor) -> None:
        self.reactor = reactor
        self.process = os.getpid()  # a child of fork has the same queue, and must leave it alone
        self.queue = -1
        self.descriptor: Descriptor | None = None  # that of the queue
        self.news: Event | None = None
        self.settling: Event | None = None
        self.emptied = 0  # when the queue was, in ns
        self.trees: dict[tuple[str, bool], Shared] = {}
        self.owners: dict[int, list[Directory]] = {}  # by the number of the watch

    # -- for events -----------------------------------------------------------------------

    def join(self, event: Filesystem) -> Shared:
        key = event.path, event.recursive
        shared = self.trees.get(key)
        if shared is None:
            self.open()
            try:
                shared = self.trees[key] = Shared(key, Tree(self, *key))
            finally:
                self.close_if_unused()
        shared.waiting[event] = None
        return shared

    def leave(self, event: Filesystem, shared: Shared) -> None:
        shared.waiting.pop(event, None)
        if not shared.waiting and not shared.telling:
            self.drop(shared)

    def drop(self, shared: Shared) -> None:
        if self.trees.get(shared.key) is shared:
            del self.trees[shared.key]
        shared.tree.close()
        self.close_if_unused()

    # -- for trees ------------------------------------------------------------------------

    def add(self, directory: Directory, path: str, mask: int) -> int:
        """The number of the watch for it, which two directories may share."""
        try:
            number = inotify.add_watch(self.queue, path, mask)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                text = f"no watch is left for {path}; raise {LIMIT}, or watch fewer directories"
                raise OSError(errno.ENOSPC, text) from None
            raise
        owners = self.owners.setdefault(number, [])
        if directory not in owners:
            owners.append(directory)
        return number

    def remove(self, directory: Directory) -> None:
        owners = self.owners.get(directory.watch)
        if owners is not None and directory in owners:
            owners.remove(directory)
            if not owners:
                del self.owners[directory.watch]
                if self.process == os.getpid():
                    inotify.remove_watch(self.queue, directory.watch)
        directory.watch = -1

    # -- the queue ------------------------------------------------------------------------

    def open(self) -> None:
        if self.queue < 0:
            self.queue = inotify.open_queue()
            self.descriptor = self.reactor.descriptor(self.queue)
            self.emptied = time.time_ns()
            self.listen()

    def listen(self) -> None:
        assert self.descriptor is not None
        self.news = self.descriptor.readable()
        self.news.hide()  # those who wait for a tree are counted
        self.news.add_listener(self)
        self.news.start()

    def notify(self, event: Event) -> bool:
        """The queue has something for us."""
        if event is not self.news:
            return False
        try:
            event.outcome()  # raises, where somebody has closed our queue
            self.read()
        except OSError as error:
            self.queue, self.descriptor, self.news = -1, None, None  # the number is another's
            for shared in self.trees.values():
                shared.error = error
        self.report()
        return True

    def read(self) -> None:
        now = time.time_ns()
        told, emptied = inotify.read_queue(self.queue)
        self.listen()
        for watch, mask, cookie, name in told:
            if mask & inotify.OVERFLOW:
                self.look_everywhere()
            else:
                self.hear(watch, mask, cookie, name)
        if emptied:
            self.emptied = now

    def hear(self, watch: int, mask: int, cookie: int, name: str) -> None:
        for directory in list(self.owners.get(watch, ())):
            if mask & inotify.IGNORED:
                self.remove(directory)
            try:
                directory.tree.hear(directory, mask, cookie, name)
            except OSError as error:
                self.fail(directory.tree, error)

    def look_everywhere(self) -> None:
        for shared in list(self.trees.values()):
            try:
                rescan(shared.tree, self.emptied)
            except OSError as error:
                shared.error = error

    def fail(self, tree: Tree, error: OSError) -> None:
        for shared in self.trees.values():
            if shared.tree is tree:
                shared.error = error

    # -- reporting ------------------------------------------------------------------------

    def report(self) -> None:
        """Fire those whose tree has changed. Who joins meanwhile waits for what comes next."""
        failures: list[BaseException] = []
        for shared in list(self.trees.values()):
            shared.telling += 1  # nobody waits for a moment: what is watched stays watched
            changes, shared.tree.changes = shared.tree.changes, []
            if shared.tree.gone:
                del self.trees[shared.key]  # who joins now finds out that it has gone
            if changes:
                tell(shared, changes, None, failures)
            if shared.error is not None:
                self.trees.pop(shared.key, None)
                tell(shared, None, shared.error, failures)
            shared.telling -= 1
            if not shared.waiting:
                self.drop(shared)
        self.settle_soon()
        if failures:
            raise failures[0]

    def settle_soon(self) -> None:
        if self.settling is None and any(shared.tree.moves for shared in self.trees.values()):
            self.settling = self.reactor.timer(SECONDS_FOR_A_MOVE)
            self.settling.hide()
            self.settling.add_listener(Settle(self))
            self.settling.start()

    def settle(self) -> None:
        self.settling = None
        for shared in self.trees.values():
            shared.tree.settle()
        self.report()

    # -- the end --------------------------------------------------------------------------

    def close_if_unused(self) -> None:
        if not self.trees:
            self.close()

    def close(self) -> None:
        """Tell nobody anything any more. Never suspends."""
        self.trees.clear()
        self.owners.clear()
        settling, self.settling = self.settling, None
        if settling is not None:
            settling.stop()
        news, self.news = self.news, None
        if news is None or self.descriptor is None:
            return
        news.stop()
        self.descriptor.close(None)
        os.close(self.queue)
        self.queue, self.descriptor = -1, None


class Settle(Listener):
    """Told when the second half of a move would have come."""

    def __init__(self, watches: Watches) -> None:
        self.watches = watches

    def notify(self, event: Event) -> bool:
        self.watches.settle()
        return True


def tell(
    shared: Shared,
    changes: list[Change] | None,
    error: OSError | None,
    failures: list[BaseException],
) -> None:
    for event in list(shared.waiting):
        if event not in shared.waiting:
            continue  # stopped by one of the others
        try:
            event.fire(changes, error)
        except BaseException as failure:
            failures.append(failure)  # the others wait, too

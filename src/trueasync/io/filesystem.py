"""FileSystemWatcher: what happens to the files below a path, one change after the other."""

from __future__ import annotations

import os
import weakref

from ..events.change import Change
from ..events.event import Event, Listener
from ..scheduler.calls import running_scheduler
from ..sync.arrivals import Arrivals
from .changes import AllChanges, Changes

__all__ = ["FileSystemWatcher"]

LONGEST_HOLD = 10  # debounces that a change is held back at most, while others keep coming


class FileSystemWatcher(Arrivals[Change]):
    """What happens below `path`: a loop over it gets each change, from now on until `close`.

    Each is a `Change`: what happened, the path below `path`, and its old one for a rename.
    Symbolic links are not followed. Changes are handed on when there has been none for
    `debounce` seconds, and what happened to a path meanwhile is one change, or none if it
    came and went; with 0 every message of the system is handed on at once.
    The loop ends when `path` has gone; the last change says so.
    Not for other threads.
    """

    event: Event | None = None
    timer: Event | None = None

    def __init__(
        self, path: str | os.PathLike[str], recursive: bool = True, debounce: float = 0.05
    ) -> None:
        if not debounce >= 0:
            raise ValueError(f"debounce must be 0 or more seconds, not {debounce}")
        self.path = os.path.abspath(path)  # as it is meant now
        self.recursive = recursive
        self.debounce = debounce
        self.held = Changes()
        self.held_until = 0.0  # at most
        super().__init__(Changes() if debounce else AllChanges())
        self.reactor = running_scheduler("FileSystemWatcher").reactor
        self.listen()

    def listen(self) -> None:
        """Hear of the next changes. Never suspends."""
        self.event = self.reactor.filesystem(self.path, self.recursive)
        self.event.hide()  # that somebody waits for them is counted, not that they are heard
        self.event.add_listener(Heard(self))
        self.event.start()

    def heard(self, event: Event) -> None:
        """Something has changed. Never suspends."""
        try:
            changes: list[Change] = event.outcome()
        except OSError as error:
            self.hand_on()
            self.end(error)
            return
        gone = changes[-1].kind == "gone"
        if not gone:
            self.listen()  # first: nothing is lost in between
        if not self.debounce:
            for change in changes:
                self.arrive(change)
        else:
            self.hold(changes)
        if gone:
            self.hand_on()
            self.end()

    def hold(self, changes: list[Change]) -> None:
        """Hand them on when there has been none for a while. Never suspends."""
        now = self.reactor.now()
        if not len(self.held):
            self.held_until = now + LONGEST_HOLD * self.debounce
        for change in changes:
            self.held.add(change)
        self.stop_timer()
        self.timer = self.reactor.timer(max(0.0, min(self.debounce, self.held_until - now)))
        self.timer.hide()
        self.timer.add_listener(Quiet(self))
        self.timer.start()

    def hand_on(self) -> None:
        """Whoever waits gets what was held back. Never suspends."""
        self.stop_timer()
        while len(self.held):
            self.arrive(self.held.pop())

    def stop_timer(self) -> None:
        """Hand nothing on for now. Never suspends."""
        timer, self.timer = self.timer, None
        if timer is not None:
            timer.stop()

    def close(self) -> None:
        """Watch no more; what is held back is dropped, loops end. Never suspends."""
        self.stop_timer()
        event, self.event = self.event, None
        if event is not None:
            event.stop()
        self.end()

    def __del__(self) -> None:
        # Perhaps in another thread, or in the middle of telling who waits.
        started = [each for each in (self.event, self.timer) if each is not None]
        if started:
            self.reactor.post(lambda: stop_all(started))

    def info(self) -> str:
        """What it is, in words, for reports. Never suspends."""
        return f"changes {'below' if self.recursive else 'in'} {self.path}"

    def __repr__(self) -> str:
        return f"<FileSystemWatcher of {self.path}{', closed' if self.closed else ''}>"


def stop_all(events: list[Event]) -> None:
    for event in events:
        event.stop()


class Heard(Listener):
    """Told of changes; does not keep alive who wants to know."""

    def __init__(self, watcher: FileSystemWatcher) -> None:
        self.watcher = weakref.ref(watcher)

    def notify(self, event: Event) -> bool:
        watcher = self.watcher()
        if watcher is not None and not watcher.closed:
            watcher.heard(event)
        return True


class Quiet(Listener):
    """Told when there has been no change for a while."""

    def __init__(self, watcher: FileSystemWatcher) -> None:
        self.watcher = weakref.ref(watcher)

    def notify(self, event: Event) -> bool:
        watcher = self.watcher()
        if watcher is not None:
            watcher.hand_on()
        return True

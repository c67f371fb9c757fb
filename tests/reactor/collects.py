"""Collects: who waits for changes of files, for the tests of them."""

import os

from trueasync.events.event import Listener


class Collects(Listener):
    """Waits again each time it is told, and keeps all changes."""

    def __init__(self, reactor, path, recursive=True):
        self.reactor = reactor
        self.path = path
        self.recursive = recursive
        self.changes = []
        self.error = None
        self.listen()

    def listen(self):
        self.event = self.reactor.filesystem(self.path, self.recursive)
        self.event.add_listener(self)
        self.event.start()

    def notify(self, event):
        try:
            self.changes += event.outcome()
        except OSError as error:
            self.error = error
            return True
        if not self.is_over():
            self.listen()
        return True

    def is_over(self):
        return bool(self.changes) and self.changes[-1].kind == "gone"

    def until(self, *wanted):
        """Poll until these changes, each (kind, path), have been told; all that were."""
        while not set(wanted) <= {change[:2] for change in self.changes}:
            self.reactor.poll(True)
        return self.so_far()

    def so_far(self):
        return [change[:2] if change.old_path is None else change for change in self.changes]

    def flush(self, marker):
        """All changes until now: whatever was told before a file of the marker's name."""
        marker.touch()
        told = self.until(("created", marker.name))
        return told[: told.index(("created", marker.name))]


def open_descriptors():
    listed = set(os.listdir("/proc/self/fd"))
    return {fd for fd in listed if os.path.exists(f"/proc/self/fd/{fd}")}


def write(path, text="x"):
    path.write_text(text)

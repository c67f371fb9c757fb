"""Room: so many may be inside at a time, of all runs together; the others wait in line.

Who leaves, in whatever thread, gives its place to the first in line. A place that was given
is taken: who then leaves the line by a cancellation gives it on.
"""

from __future__ import annotations

from _thread import RLock
from collections import deque

from ..errors import UsageError
from ..scheduler.calls import running_scheduler

__all__ = ["Room"]


class Place:
    """One wait in line; `given` once it is over, unless the room was closed."""

    def __init__(self, what: str) -> None:
        self.trigger = running_scheduler(what).reactor.trigger()
        self.given = False


class Room:
    """Places for `size`. Safe from any thread, but for what suspends."""

    def __init__(self, size: int, what: str) -> None:
        self.size = size
        self.what = what  # for messages
        self.inside = 0
        self.closed = False
        self.line: deque[Place] = deque()
        self.staying: list[Place] = []  # until it is empty
        self.lock = RLock()  # a finalizer may come back in here

    def enter(self) -> None:
        """Take a place. Suspends the coroutine while there is none."""
        with self.lock:
            self.check_open()
            if self.inside < self.size:
                self.inside += 1
                return
            place = Place(self.what)
            self.line.append(place)
        try:
            self.wait(place)
            self.check_open()
        except BaseException:
            with self.lock:
                if place.given:
                    self.leave()
                elif place in self.line:
                    self.line.remove(place)
            raise

    def leave(self) -> None:
        """Give the place to the first in line, or back. Never suspends."""
        with self.lock:
            if self.line:
                place = self.line.popleft()
                place.given = True
                place.trigger.fire()
                return
            self.inside -= 1
            while self.inside == 0 and self.staying:
                self.staying.pop().trigger.fire()

    def close(self) -> None:
        """Let nobody in any more; who stands in line gets an error. Never suspends."""
        with self.lock:
            self.closed = True
            while self.line:
                self.line.popleft().trigger.fire()

    def wait_until_empty(self) -> None:
        """Suspends the coroutine until all have left."""
        with self.lock:
            if self.inside == 0:
                return
            place = Place(self.what)
            self.staying.append(place)
        self.wait(place)

    def check_open(self) -> None:
        if self.closed:
            raise UsageError(f"{self.what}: the pool is closed, and takes nothing more")

    def wait(self, place: Place) -> None:
        scheduler = running_scheduler(self.what)
        # Threads make room, and those take no virtual time.
        scheduler.reactor.awaited_calls += 1
        try:
            scheduler.wait(place.trigger)
        finally:
            scheduler.reactor.awaited_calls -= 1

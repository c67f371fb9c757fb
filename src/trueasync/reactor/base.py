"""Reactor: what a scheduler may ask of whoever watches the outside world.

Implemented by the libuv reactor and by the virtual one of trueasync.testing.
"""

import cython
from cython.cimports.trueasync.events.event import Event


@cython.cclass
class Reactor:
    """Makes events, and reports what happened when polled. Not for other threads."""

    @cython.ccall
    @cython.exceptval(-1, check=True)
    def now(self) -> cython.double:
        """Seconds on the clock of its timers. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def poll(self, wait: cython.bint):
        """Fire what has happened; with `wait`, sleep until something has.

        Raises what a callback raised. Never suspends.
        """
        raise NotImplementedError

    @cython.ccall
    def timer(self, delay: cython.double) -> Event:
        """An event that fires `delay` seconds after it is started. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def close(self):
        """Let go of everything; twice is once. Never suspends."""


@cython.cclass
class ReactorEvent(Event):
    """An event the outside world fires; while armed it is a reason to wait, unless hidden."""

    def __init__(self, reactor: Reactor):
        self.reactor = reactor

    @cython.ccall
    def arm(self):
        if self.reactor is None:
            raise RuntimeError(f"{self.info()} has no reactor; call super().__init__(reactor)")
        if not self.hidden:
            self.reactor.active += 1

    @cython.ccall
    def disarm(self):
        if not self.hidden:
            self.reactor.active -= 1

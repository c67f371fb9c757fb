"""Microtasks: small things done between switches, on the stack of whoever suspends.

Internal: a microtask must be quick and must not suspend.
"""

import cython
from cython.cimports.trueasync.scheduler.ring import Ring


@cython.final
@cython.cclass
class Microtask:
    """A handler to call before the next switch, and a destructor for when it is done with."""

    def __init__(self, handler, destructor=None):
        self.handler = handler
        self.destructor = destructor

    def cancel(self):
        """Where it is queued it will not run any more. Never suspends."""
        self.cancelled = True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def run(self) -> cython.int:
        try:
            if not self.cancelled:
                self.handler()
        finally:
            self.count -= 1
            if self.count == 0 and self.destructor is not None:
                self.destructor()
        return 0


@cython.final
@cython.cclass
class MicrotaskQueue(Ring):
    """First in, first out, until empty; an exception interrupts, the rest stay queued."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, microtask: Microtask) -> cython.int:
        microtask.count += 1
        return self.push(microtask)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def run(self) -> cython.int:
        while self.count:
            # Removed before it runs: one that raises must not be run again.
            cython.cast(Microtask, self.pop()).run()
        return 0

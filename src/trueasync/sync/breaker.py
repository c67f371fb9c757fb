"""CircuitBreaker: leave a service that fails alone, and try it again one at a time."""

import cython
from cython.cimports.trueasync.sync.wait import clock

from ..errors import CircuitOpen


@cython.final
@cython.cclass
class CircuitBreaker:
    """Closed, everybody passes. After `failures` in a row it is open, and nobody does.

    After `pause` seconds it is half open: one may pass and try, and the next only when that
    trial is over. If it succeeds the breaker is closed, if it fails open for another `pause`.
    Never suspends. Safe from any thread.
    """

    def __init__(self, failures: cython.int = 5, pause: cython.double = 30.0):
        if failures < 1:
            raise ValueError(f"a breaker opens after 1 failure or more, not {failures}")
        if not pause >= 0:
            raise ValueError(f"a breaker pauses for 0 seconds or more, not {pause}")
        self.failures = failures
        self.pause = pause

    @property
    def state(self) -> str:
        """One of closed, open, half-open."""
        if not self.tripped:
            return "closed"
        return "open" if self.trial is None and self.left() > 0 else "half-open"

    @cython.ccall
    def admit(self, who):
        """Let `who` pass, or raise `CircuitOpen`; then call one of the three below.

        Never suspends. Safe from any thread.
        """
        if not self.tripped:
            return
        left: cython.double = self.left()
        if left > 0:
            raise CircuitOpen(f"the breaker is open; the next may try in {left:.3g} s")
        if self.trial is not None:
            raise CircuitOpen("the breaker is half open, and somebody tries already")
        self.trial = who

    @cython.ccall
    def succeeded(self, who):
        """What `who` was admitted for went well. Never suspends. Safe from any thread."""
        if not self.tripped:
            self.in_a_row = 0
        elif who is self.trial:
            self.close()

    @cython.ccall
    def failed(self, who):
        """What `who` was admitted for failed. Never suspends. Safe from any thread."""
        if not self.tripped:
            self.in_a_row += 1
            if self.in_a_row >= self.failures:
                self.open()
        elif who is not None and who is self.trial:
            self.open()

    @cython.ccall
    def left_early(self, who):
        """`who` was cancelled, and knows nothing. Never suspends. Safe from any thread."""
        if who is self.trial:
            self.trial = None

    @cython.ccall
    def open(self):
        """Let nobody pass for `pause` seconds. Never suspends. Safe from any thread."""
        self.opened_at = clock()
        self.tripped = True
        self.trial = None

    @cython.ccall
    def close(self):
        """Let everybody pass. Never suspends. Safe from any thread."""
        self.tripped = False
        self.in_a_row = 0
        self.trial = None

    def __repr__(self):
        return f"<CircuitBreaker {self.state}, {self.in_a_row} of {self.failures} failures>"

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def left(self) -> cython.double:
        """Seconds until the next may try; 0 or less if it may be now."""
        return self.opened_at + self.pause - clock()

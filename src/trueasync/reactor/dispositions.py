"""Dispositions: what signals do to this process, while somebody waits for them.

They belong to the process, and so does this count. A signal whose handler is a program's own
is left alone: CPython calls that, and tells us as well. Where there is only a default, an
empty handler takes its place until the last one waits no more.
"""

import signal

import cython
from cython.cimports.posix.signal import sigaction

from .run_handler import RunHandler


@cython.final
@cython.cclass
class Claim:
    """One signal somebody waits for, and what it did before."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take(self, number: cython.int) -> cython.int:
        """Only in the main thread: CPython lets no other change a handler."""
        self.previous = signal.getsignal(number)
        if callable(self.previous) and not is_default(self.previous):
            return 0
        sigaction(number, cython.NULL, cython.address(self.action))
        signal.signal(number, heard)
        self.taken = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give_back(self, number: cython.int) -> cython.int:
        if not self.taken or signal.getsignal(number) is not heard:
            return 0  # somebody has put another handler there since
        # None is a handler that is not Python's: only the system can put that back.
        signal.signal(number, signal.SIG_DFL if self.previous is None else self.previous)
        sigaction(number, cython.address(self.action), cython.NULL)
        return 0


claims: dict = {}


@cython.cfunc
@cython.exceptval(-1, check=False)
def claim(number: cython.int) -> cython.int:
    """From now on the signal is heard, and does nothing else unless the program said so."""
    known: Claim = claims.get(number)
    if known is None:
        known = Claim()
        known.take(number)
        claims[number] = known
    known.count += 1
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def release(number: cython.int) -> cython.int:
    """Take one claim back; the last gives the signal back what it did before."""
    known: Claim = claims[number]
    known.count -= 1
    if known.count == 0:
        del claims[number]
        known.give_back(number)
    return 0


def release_all() -> None:
    """In the child of a fork, where nobody waits for anything. Never suspends."""
    known: Claim
    for number, known in claims.items():
        known.give_back(number)
    claims.clear()


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_default(handler) -> cython.bint:
    """Whether nobody chose it: Python's own for Ctrl-C, or the one of a run."""
    return handler is signal.default_int_handler or isinstance(handler, RunHandler)


def heard(number, frame) -> None:
    """In the place of a default: that it came, the wake-up descriptor has told the reactor."""

"""Arrivals: what happens outside again and again, for coroutines that take it one at a time.

What arrives while somebody waits is his; what arrives while nobody does is kept. So nothing
is lost between two steps of a loop, and each is taken once, also in `select`.
"""

from types import GenericAlias

import cython
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import (
    coroutine_here,
    require_scheduler,
    scheduler_here,
)
from cython.cimports.trueasync.sync.line import Line, Turn

from ..errors import ChannelClosed, UsageError
from .awaitable import register


@cython.cclass
class Arrivals:
    """Things that arrive, each for one coroutine, in the order of coming.

    For the run it was made in. Not for other threads.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, kept):
        """What nobody waits for goes to `kept.add(item)`, and comes back by `kept.pop()`."""
        self.scheduler = require_scheduler(type(self).__name__)
        self.kept = kept
        self.takers = Line()

    # -- for those who wait ---------------------------------------------------------------

    def __iter__(self):
        return self

    def __next__(self):
        """The next that arrives, or has arrived and was not taken yet.

        Suspends the coroutine while there is none.
        """
        self.check_run()
        if len(self.kept):
            return self.kept.pop()
        if not self.closed:
            arrival: Arrival = new_arrival(self)
            self.scheduler.wait(arrival)
            if arrival.error is None:
                return arrival.value
        if self.reason is None:
            raise StopIteration
        raise self.ended()

    @cython.ccall
    def next_event(self):
        """An event that fires with the next one, which is then taken. Never suspends."""
        self.check_run()
        return new_arrival(self)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close()

    # -- for those who bring it -----------------------------------------------------------

    @cython.ccall
    def arrive(self, item):
        """Give `item` to the first who waits, or keep it. Never suspends."""
        arrival: Arrival
        while self.takers.count:
            arrival = self.takers.next_but(None)
            arrival.uncount()
            if arrival.give(item, None):
                return
        if not self.closed:
            self.kept.add(item)

    @cython.ccall
    def end(self, reason=None):
        """Nothing arrives any more; who waits is told, with an error as the reason if it is one.

        What has arrived can still be taken. Never suspends.
        """
        arrival: Arrival
        if self.closed:
            return
        self.closed = True
        self.reason = reason
        while self.takers.count:
            arrival = self.takers.next_but(None)
            arrival.uncount()
            arrival.give(None, self.ended())

    @cython.ccall
    def close(self):
        """Take no more; loops over it end, also those that wait. Twice is once. Never suspends."""
        self.end()

    @cython.ccall
    def info(self) -> str:
        """What it is, in words, for reports. Never suspends."""
        return type(self).__name__

    @cython.cfunc
    def ended(self):
        if self.reason is not None:
            return self.reason.with_traceback(None)  # not that of who was told before
        error = ChannelClosed(f"{self.info()}: closed")
        error.channel = self
        return error

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def check_run(self) -> cython.int:
        if scheduler_here() is not self.scheduler:
            raise UsageError(f"{self.info()}: to be used only in the run that made it")
        return 0


@cython.final
@cython.cclass
class Arrival(Turn):
    """One wait for the next that arrives; a reason for the program to wait."""

    @cython.ccall
    def arm(self):
        owner: Coroutine = coroutine_here()
        if len(self.source.kept):
            self.fire_with(self.source.kept.pop(), None)
        elif self.source.closed:
            self.fire_with(None, self.source.ended())
        else:
            self.source.takers.add(self, owner)
            self.counted = True
            self.source.scheduler.reactor.active += 1

    @cython.ccall
    def disarm(self):
        self.uncount()
        Turn.disarm(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def uncount(self) -> cython.int:
        if self.counted:
            self.counted = False
            self.source.scheduler.reactor.active -= 1
        return 0

    @cython.ccall
    def info(self) -> str:
        return self.source.info()


@cython.cfunc
def new_arrival(source: Arrivals) -> Arrival:
    arrival: Arrival = Arrival.__new__(Arrival)
    arrival.source = source
    return arrival


register("trueasync.sync.arrivals.Arrivals", lambda arrivals: arrivals.next_event())

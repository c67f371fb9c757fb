"""Waker: one wait of one coroutine, with the events it started and the one that won."""

import cython
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.coroutine import Coroutine


@cython.final
@cython.no_gc  # closing breaks every cycle it is in
@cython.cclass
class Waker(Listener):
    """Made for a wait and closed with it; the first event that fires wins.

    Being told only puts the coroutine on the ready queue.
    The registrations are cleaned up by the coroutine itself, when it runs again:
    never inside the callback that woke it.
    """

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def start(self) -> cython.bint:
        """Start the events in order; True as soon as one has fired already."""
        try:
            return self.start_all()
        except BaseException:
            self.close()
            raise

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def start_all(self) -> cython.bint:
        event: Event
        if self.start_one(self.first):
            return True
        if self.second is not None and self.start_one(self.second):
            return True
        if self.others is not None:
            for event in self.others:
                if self.start_one(event):
                    return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def start_one(self, event: Event) -> cython.bint:
        if event is None:
            raise TypeError("there is no event to wait for")
        self.started += 1
        if not event.fired:
            event.start()
            # Starting may have found it done, or fired another of ours: look again.
            if not event.fired:
                event.add_listener(self)
                return self.winner is not None
            event.stop()
        self.started -= 1
        self.winner = event
        return True

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        """Take `event` as the winner, if there is none, and wake the coroutine."""
        if self.winner is not None or self.closed:
            return False
        self.winner = event
        self.coroutine.wake(self)
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def claim(self, event: Event) -> cython.bint:
        if self.winner is not None or self.closed:
            return False
        self.winner = event
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake(self, event: Event) -> cython.int:
        if self.coroutine is not None:
            self.coroutine.wake(self)
        return 0

    @cython.cfunc
    def close(self):
        """Stop the events that were started, and hear of none any more."""
        event: Event
        failure = None
        self.closed = True
        self.coroutine = None
        if self.started > 0:
            failure = self.close_one(self.first, failure)
        if self.started > 1 and self.second is not None:
            failure = self.close_one(self.second, failure)
        if self.others is not None:
            skip: cython.int = 1 if self.second is None else 2
            for event in self.others[: max(0, self.started - skip)]:
                failure = self.close_one(event, failure)
        self.started = 0
        if failure is not None:
            raise failure

    @cython.cfunc
    @cython.inline
    def close_one(self, event: Event, failure):
        """One that cannot be stopped must not keep the others going: the first such error."""
        try:
            event.stop()
            if not event.fired:
                event.remove_listener(self)
        except BaseException as error:
            return failure or error
        return failure


@cython.cfunc
def new_waker(
    coroutine: Coroutine, first: Event | None, second: Event | None, others: list | None
) -> Waker:
    waker: Waker = Waker.__new__(Waker)
    waker.coroutine = coroutine
    waker.first = first
    waker.second = second
    waker.others = others
    return waker

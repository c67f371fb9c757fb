"""Gathering: several events as one, which fires when enough of them have."""

import cython
from cython.cimports.trueasync.events.event import Event, Listener


@cython.final
@cython.cclass
class Gathering(Event):
    """Fires when `enough(gathering)`, which is asked for each event that has fired.

    `settled` are those that have, in that order. The events themselves are left alone: they
    are started for as long as this is, and none of their errors is taken.
    Not for other threads.
    """

    def __init__(self, events, enough):
        self.events = list(dict.fromkeys(events))
        self.enough = enough
        self.settled = []
        self.started = []

    @cython.ccall
    def arm(self):
        event: Event
        self.ear = Ear.__new__(Ear)
        self.ear.gathering = self
        try:
            self.look()
            for event in self.events:
                if self.fired:
                    break
                self.start_one(event)
        except BaseException:
            self.release()
            raise

    @cython.cfunc
    def start_one(self, event: Event):
        if not event.fired:
            event.start()
            # Starting may have found it done, or fired others of ours.
            if not event.fired and not self.fired:
                event.add_listener(self.ear)
                self.started.append(event)
                return
            event.stop()
        if event.fired and not self.fired:
            self.note(event)

    @cython.cfunc
    def note(self, event: Event):
        self.settled.append(event)
        self.succeeded += not event.failed()
        self.look()

    @cython.cfunc
    def look(self):
        if len(self.settled) == len(self.events) or self.enough(self):
            self.fire_with(None, None)

    @cython.ccall
    def disarm(self):
        if not self.fired:
            self.release()

    def release(self):
        """Stop the events; for who waited, when it runs again. Never suspends.

        Not at the fire: that may come from the middle of a batch of others.
        """
        event: Event
        for event in self.started:
            event.stop()
            if not event.fired:
                event.remove_listener(self.ear)
        self.started = []
        self.ear = None  # it knows us, and we know it

    @cython.ccall
    def info(self) -> str:
        event: Event
        waiting = [event.info() for event in self.events if not event.fired]
        more = len(waiting) - 3
        return "; ".join(waiting[:3]) + (f"; and {more} more" if more > 0 else "")


@cython.final
@cython.cclass
class Ear(Listener):
    """Told of each event that fires."""

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        if not self.gathering.fired:
            self.gathering.note(event)
        return True

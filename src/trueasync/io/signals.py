"""signal: the signals that arrive at the process, one after the other."""

from __future__ import annotations

import signal as numbers
import weakref

from ..events.event import Event, Listener
from ..scheduler.calls import running_scheduler
from ..sync.arrivals import Arrivals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Signals", "signal"]


def signal(*wanted: int) -> Signals:
    """The signals with these numbers: a loop over it gets each that arrives.

    `for number in signal(SIGHUP, SIGUSR1)` waits for the next and never ends by itself.
    `select(signal(SIGTERM), …)` waits for one. From the call until `close`, or the end of a
    `with`, they do nothing else, unless the program has handlers for them, which are called
    too. Between two steps of a loop one of each number is remembered.
    Never suspends; each step of the loop does. Not for other threads than the main one.
    """
    if not wanted:
        raise ValueError("signal() needs the number of a signal, such as signal.SIGTERM")
    return Signals(wanted)


class Signals(Arrivals["numbers.Signals | int"]):
    """What `signal(...)` returns. Not for other threads."""

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self.names = ", ".join(getattr(named(number), "name", str(number)) for number in wanted)
        self.events: dict[int, Event] = {}
        super().__init__(OneOfEach())
        self.reactor = running_scheduler("signal").reactor
        try:
            for number in dict.fromkeys(wanted):
                self.listen(number)
        except BaseException:
            self.close()
            raise

    def listen(self, number: int) -> None:
        """Hear the next one with this number. Never suspends."""
        event = self.reactor.signal(number)
        event.hide()  # that somebody waits for it is counted, not that it is heard
        event.add_listener(Heard(self, number))
        event.start()
        self.events[number] = event

    def close(self) -> None:
        """Hear no more, and let the signals do what they did before. Never suspends."""
        events, self.events = self.events, {}
        for event in events.values():
            event.stop()
        self.end()

    def __del__(self) -> None:
        # Perhaps in another thread, or in the middle of telling who waits.
        events = getattr(self, "events", None)
        if events:
            self.reactor.post(lambda: [event.stop() for event in events.values()])

    def info(self) -> str:
        """What it is, in words, for reports. Never suspends."""
        return f"the signal {self.names}"

    def __repr__(self) -> str:
        return f"<Signals {self.names}{', closed' if self.closed else ''}>"


class Heard(Listener):
    """Told that a signal has arrived; does not keep alive who wants to know."""

    def __init__(self, signals: Signals, number: int) -> None:
        self.signals = weakref.ref(signals)
        self.number = number

    def notify(self, event: Event) -> bool:
        signals = self.signals()
        if signals is not None and not signals.closed:
            signals.listen(self.number)  # first: nothing is lost in between
            signals.arrive(named(self.number))
        return True


class OneOfEach:
    """Numbers in the order of their first coming: of one kind there is no use for two."""

    def __init__(self) -> None:
        self.numbers: dict[int, None] = {}

    def add(self, number: int) -> None:
        self.numbers[number] = None

    def pop(self) -> Any:
        first = next(iter(self.numbers))
        del self.numbers[first]
        return first

    def __len__(self) -> int:
        return len(self.numbers)


def named(number: int) -> numbers.Signals | int:
    try:
        return numbers.Signals(number)
    except ValueError:
        return number  # most of the real-time signals have no name

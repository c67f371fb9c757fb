"""connect, connect_unix: streams to where others listen.

A name may have addresses of both families, and some of them may not answer. They are tried
one after the other, the families taking turns, and the next already when the one before has
taken a while (RFC 8305): the first that answers wins.
"""

from __future__ import annotations

import errno
import os

from ..events.event import Event
from ..scheduler.calls import running_scheduler
from .address import in_words
from .attempt import Attempt
from .resolve import Address, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .socket_stream import SocketStream

__all__ = ["connect", "connect_unix"]

ATTEMPT_DELAY = 0.25  # seconds until the next address is tried as well; as RFC 8305 says


def connect(
    host: str,
    port: int,
    *,
    timeout: float | None = None,
    local_address: tuple[str, int] | None = None,
    attempt_delay: float = ATTEMPT_DELAY,
) -> SocketStream:
    """Connect to a TCP port. All addresses of a name are tried, IPv6 and IPv4.

    TimeoutError if that takes more than `timeout` seconds; None waits as long as the system.
    `local_address` is where to connect from. Suspends the coroutine. Not for other threads.
    """
    name = in_words((host, port))
    race = Race(name, timeout)
    return race.run(in_turns(resolve(host, port)), local_address, attempt_delay)


def connect_unix(
    path: str | bytes | os.PathLike[str], *, timeout: float | None = None
) -> SocketStream:
    """Connect to a Unix socket; one whose path begins with "\\0" has no file (Linux only).

    TimeoutError if that takes more than `timeout` seconds.
    Suspends the coroutine. Not for other threads.
    """
    from _socket import AF_UNIX

    where = os.fspath(path)
    return Race(in_words(where), timeout).run([Address(AF_UNIX, where)], None, ATTEMPT_DELAY)


def in_turns(addresses: list[Address]) -> list[Address]:
    """The families by turns, each in its order, beginning with that of the first."""
    first = [each for each in addresses if each.family == addresses[0].family]
    others = [each for each in addresses if each.family != addresses[0].family]
    turns: list[Address] = []
    for place in range(max(len(first), len(others))):
        turns += first[place : place + 1] + others[place : place + 1]
    return turns


class Race:
    """Attempts to connect to the addresses of one name, until one wins or all have failed."""

    def __init__(self, name: str, timeout: float | None) -> None:
        self.name = name
        self.scheduler = running_scheduler("connect")
        self.timeout = timeout
        self.deadline = None if timeout is None else self.scheduler.reactor.now() + timeout
        self.attempts: dict[Event, Attempt] = {}  # each at the event it waits for
        self.failures: list[OSError] = []

    def run(
        self, addresses: list[Address], local: tuple[str, int] | None, delay: float
    ) -> SocketStream:
        """The winner, as a stream. The others are closed, however this ends."""
        try:
            for address in addresses:
                self.start(address, local)
                # While others are under way: the next one starts when one of them has failed.
                winner = self.wait(delay)
                if winner is not None:
                    return winner.stream()
            while self.attempts:
                winner = self.wait(None)
                if winner is not None:
                    return winner.stream()
            raise self.failure()
        finally:
            for attempt in self.attempts.values():
                attempt.close()

    def start(self, address: Address, local: tuple[str, int] | None) -> None:
        attempt = Attempt(address)
        try:
            attempt.start(local)
            self.attempts[attempt.event(self.scheduler.reactor)] = attempt
        except OSError as error:
            attempt.close()
            self.failures.append(error)
        except BaseException:
            attempt.close()
            raise

    def wait(self, delay: float | None) -> Attempt | None:
        """Wait for an attempt to end, at most `delay` seconds; the one that has made it."""
        if not self.attempts:
            return None
        now = self.scheduler.reactor.now()
        left = None if self.deadline is None else max(0.0, self.deadline - now)
        limits = [each for each in (delay, left) if each is not None]
        events = [*self.attempts]
        if limits:
            events.append(self.scheduler.reactor.timer(min(limits)))
        first, second, others = events[0], events[1] if events[1:] else None, events[2:]
        winner = self.scheduler.wait(first, second, others)
        if winner in self.attempts:
            return self.judge(winner)
        if left is not None and (delay is None or left <= delay):
            text = f"cannot connect to {self.name}: it took more than {self.timeout:g} s"
            raise TimeoutError(errno.ETIMEDOUT, text)
        return None

    def judge(self, event: Event) -> Attempt | None:
        """The attempt whose event has fired, if it has made it."""
        attempt = self.attempts.pop(event)
        try:
            if attempt.has_made_it():
                return attempt
            self.attempts[attempt.event(self.scheduler.reactor)] = attempt
        except OSError as error:
            attempt.close()
            self.failures.append(error)
        except BaseException:
            attempt.close()
            raise
        return None

    def failure(self) -> OSError:
        """What all failures come to; as one of them, if they are of one kind."""
        numbers = {error.errno for error in self.failures}
        first = self.failures[0].errno or errno.EHOSTUNREACH
        texts = "; ".join(str(error.strerror) for error in self.failures)
        number = first if len(numbers) == 1 else errno.EHOSTUNREACH
        return OSError(number, f"cannot connect to {self.name}: {texts}")

"""Doors: the listening sockets of one listener, and the reactor that watches them."""

from __future__ import annotations

import errno

from ..errors import UsageError
from ..scheduler.calls import running_scheduler
from .socket_stream import SocketStream, try_accept

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

    from ..events.event import Event
    from ..reactor.base import Descriptor, Reactor

__all__ = ["EXHAUSTED", "Doors"]

# These end when somebody closes something; of the others, BROKEN are of the listening socket.
# All else that a system reports is of one connection, and the next may be sound.
EXHAUSTED = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))
BROKEN = frozenset((errno.EBADF, errno.EINVAL, errno.ENOTSOCK, errno.EOPNOTSUPP, errno.EFAULT))


class Doors:
    """Several sockets that are accepted from as if they were one."""

    def __init__(self, sockets: list[socket.socket], name: str) -> None:
        for each in sockets:
            each.setblocking(False)
        self.sockets = sockets
        self.name = name
        self.may_have = set(range(len(sockets)))  # those that may have a connection ready
        self.reactor: Reactor | None = None
        self.watched: list[Descriptor] = []

    def try_all(self) -> SocketStream | int:
        """A connection from any of the sockets, or the errno why there is none."""
        while self.may_have:
            which = next(iter(self.may_have))
            found = try_accept(self.sockets[which].fileno())
            if isinstance(found, SocketStream) or found in EXHAUSTED or found in BROKEN:
                return found
            if found == errno.EAGAIN:
                self.may_have.discard(which)
        return errno.EAGAIN

    def wait(self) -> None:
        """Wait until one of them may have a connection, or they are closed."""
        events: list[Event] = [each.readable() for each in self.descriptors()]
        second = events[1] if len(events) > 1 else None
        winner = running_scheduler("accept").wait(events[0], second, events[2:])
        self.may_have.add(events.index(winner))

    def descriptors(self) -> list[Descriptor]:
        """The sockets as the reactor of the run that goes on here watches them."""
        reactor = running_scheduler("accept").reactor
        if reactor is not self.reactor:
            if self.is_watched():
                raise UsageError(f"{self.name} is listened at in another run, which has not ended")
            self.watched = [reactor.descriptor(each.fileno()) for each in self.sockets]
            self.reactor = reactor
        return self.watched

    def is_watched(self) -> bool:
        return any(not descriptor.closed for descriptor in self.watched)

    def require_own_run(self) -> None:
        """Refuse where the reactor of another run watches: that must not be touched here."""
        if self.is_watched():
            try:
                here = running_scheduler("close").reactor
            except UsageError:
                here = None
            if here is not self.reactor:
                raise UsageError(f"{self.name} is listened at in another run; close it there")

    def close(self) -> None:
        for descriptor in self.watched:
            descriptor.close(None)
        for each in self.sockets:
            each.close()

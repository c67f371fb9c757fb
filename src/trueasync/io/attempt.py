"""Attempt: one try to connect to one address."""

from __future__ import annotations

import errno
import os

from .address import in_words
from .resolve import Address, resolve
from .socket_stream import SocketStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket

    from ..events.event import Event
    from ..reactor.base import Reactor

__all__ = ["Attempt"]

FIRST_DELAY = 0.001  # seconds until a Unix socket with a full backlog is asked again
LONGEST_DELAY = 0.1


class Attempt:
    """A socket on its way to an address; closed, unless it has become a stream."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.name = in_words(address.where)
        self.socket: _socket.socket | None = None
        self.reactor: Reactor | None = None
        self.delay = 0.0  # until it asks again; 0 where the system tells

    def start(self, local: tuple[str, int] | None) -> None:
        """Begin; the errors are those of the address. Never suspends."""
        from _socket import AF_UNIX, IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY, socket

        self.socket = socket(self.address.family, SOCK_STREAM)
        self.socket.setblocking(False)
        if self.address.family != AF_UNIX:
            # Who writes a whole message wants it to go out.
            self.socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        if local is not None:
            self.bind(local)
        self.ask()

    def bind(self, local: tuple[str, int]) -> None:
        assert self.socket is not None
        for each in resolve(*local, passive=True):
            if each.family == self.address.family:
                self.socket.bind(each.where)
                return
        raise self.error(errno.EADDRNOTAVAIL)

    def ask(self) -> None:
        assert self.socket is not None
        status = self.socket.connect_ex(self.address.where)
        if status == errno.EAGAIN:
            # A Unix socket whose backlog is full: the system will not tell when it is not.
            self.delay = min(self.delay * 2 or FIRST_DELAY, LONGEST_DELAY)
        elif status in (0, errno.EINPROGRESS):
            self.delay = 0.0
        else:
            raise self.error(status)

    def event(self, reactor: Reactor) -> Event:
        """What to wait for until `has_made_it` may have news. Never suspends."""
        assert self.socket is not None
        if self.delay:
            return reactor.timer(self.delay)
        self.reactor = reactor
        return reactor.writable(self.socket.fileno())

    def has_made_it(self) -> bool:
        """Whether it is connected; False: not yet. Raises why it will never be."""
        from _socket import SO_ERROR, SOL_SOCKET

        assert self.socket is not None
        if self.delay:
            self.ask()
            return False
        status = self.socket.getsockopt(SOL_SOCKET, SO_ERROR)
        if status:
            raise self.error(status)
        try:
            self.socket.getpeername()
        except OSError as error:
            if error.errno != errno.ENOTCONN:
                raise
            return False
        return True

    def stream(self) -> SocketStream:
        """What it was for; from now on that owns the connection. Never suspends."""
        assert self.socket is not None
        return SocketStream(self.socket.detach(), self.name)

    def close(self) -> None:
        """Give up. Never suspends."""
        if self.socket is not None:
            if self.reactor is not None:
                self.reactor.descriptor(self.socket.fileno()).close(None)
            self.socket.close()

    def error(self, status: int) -> OSError:
        return OSError(status, f"{self.name}: {os.strerror(status)}")

"""Listener: takes the connections of others."""

from __future__ import annotations

import errno
import os

from ..errors import HandleClosed
from ..events.event import Event
from ..scheduler.calls import running_scheduler, suspend
from ..scope.scope import scope
from .doors import EXHAUSTED, Doors
from .socket_stream import SocketStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = ["Listener"]

FIRST_DELAY = 0.05  # seconds until accept tries again, doubled each time
LONGEST_DELAY = 1.0
CONNECTIONS_PER_PAUSE = 16  # in a row that need no wait, before the others get a chance


class Listener:
    """Takes connections, one by one or in a loop. Made by `listen` and `listen_unix`.

    `addresses` are where it listens: (host, port) and more for IPv6, or a path.
    Several coroutines may accept: first come, first served.
    Not for other threads than that of the run it is used in.
    """

    def __init__(self, sockets: list[socket.socket], name: str, path: str | bytes = "") -> None:
        self.addresses: list[Any] = [each.getsockname() for each in sockets]
        self.closed = False
        self.doors = Doors(sockets, name)
        self.closing = Event()  # fires with the close, for who waits for something else
        self.in_a_row = 0
        self.path = path  # of a Unix socket, to be removed if that is still the same
        self.inode = os.stat(path).st_ino if path else 0

    @property
    def port(self) -> int:
        """The TCP port it listens at, or listened at."""
        port: int = self.addresses[0][1]
        return port

    def __repr__(self) -> str:
        return f"<Listener at {self.doors.name}{', closed' if self.closed else ''}>"

    def accept(self) -> SocketStream:
        """The next connection.

        Where no descriptor is left it warns, and waits until there is one.
        Suspends the coroutine while there is no connection. Not for other threads.
        """
        delay = 0.0
        give_way(self)
        while True:
            if self.closed:
                raise refusal(self)
            found = self.doors.try_all()
            if isinstance(found, SocketStream):
                return found
            if found == errno.EAGAIN:
                self.in_a_row = 0
                self.doors.wait()
            elif found in EXHAUSTED:
                delay = wait_for_descriptors(self, found, delay)
            else:
                text = f"cannot accept at {self.doors.name}: {os.strerror(found)}"
                raise OSError(found, text)

    def __iter__(self) -> Iterator[SocketStream]:
        """Connection after connection, until it is closed. Each step suspends the coroutine."""
        while not self.closed:
            try:
                stream = self.accept()
            except HandleClosed as error:
                if error.handle is not self:
                    raise
                return
            yield stream

    def serve(
        self,
        handler: Callable[[SocketStream], object],
        *,
        on_error: Callable[[Exception, SocketStream], object] | None = None,
    ) -> None:
        """Call `handler(stream)` for each connection, in a coroutine of its own.

        The stream is closed when its handler ends. A handler may end with the ConnectionError
        of its own stream: its peer has gone. Any other error goes to `on_error(error, stream)`;
        without that it cancels all handlers, and comes out of this, in an ExceptionGroup.
        After `close()` this waits for the handlers, and returns.
        Suspends the coroutine. Not for other threads.
        """
        served: set[SocketStream] = set()
        try:
            with scope(name=f"serve at {self.doors.name}") as handlers:
                for stream in self:
                    served.add(stream)
                    handlers.spawn(attend, handler, stream, on_error, served)
        finally:
            for stream in served:  # whose handlers were cancelled before they began
                stream.close()

    def close(self) -> None:
        """Take no more; who waits for a connection gets HandleClosed. Twice is once.

        Connections that were taken stay. Never suspends. Not for other threads.
        """
        if self.closed:
            return
        self.doors.require_own_run()
        self.closed = True
        try:
            remove_path(self)
        finally:
            self.doors.close()
            self.closing.fire()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def attend(
    handler: Callable[[SocketStream], object],
    stream: SocketStream,
    on_error: Callable[[Exception, SocketStream], object] | None,
    served: set[SocketStream],
) -> None:
    try:
        with stream:
            handler(stream)
    except Exception as error:
        if isinstance(error, ConnectionError) and getattr(error, "handle", None) is stream:
            return  # its peer has gone, which is no fault of the handler
        if on_error is None:
            raise
        on_error(error, stream)
    finally:
        served.discard(stream)


def give_way(listener: Listener) -> None:
    """Let the others run now and then, also where connections come faster than we take them."""
    listener.in_a_row += 1
    if listener.in_a_row > CONNECTIONS_PER_PAUSE:
        listener.in_a_row = 0
        suspend()


def wait_for_descriptors(listener: Listener, status: int, delay: float) -> float:
    """Wait until trying again may help; how long that was."""
    if not delay:
        import warnings

        text = f"cannot accept at {listener.doors.name}: {os.strerror(status)}; trying again"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    delay = min(delay * 2 or FIRST_DELAY, LONGEST_DELAY)
    scheduler = running_scheduler("accept")
    scheduler.wait(listener.closing, scheduler.reactor.timer(delay))
    return delay


def refusal(listener: Listener) -> HandleClosed:
    name = listener.doors.name
    error = HandleClosed(errno.EBADF, f"cannot accept at {name}: it was closed here")
    error.handle = listener
    return error


def remove_path(listener: Listener) -> None:
    """Remove the file of a Unix socket, if it is still ours."""
    if listener.path:
        try:
            if os.stat(listener.path).st_ino == listener.inode:
                os.unlink(listener.path)
        except FileNotFoundError:
            pass  # somebody has removed it before us

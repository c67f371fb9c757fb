"""FaultyPeer: a TCP server that treats its clients badly, for tests of who has to bear it.

It is real: sockets of the system and a native thread, so nothing of trueasync is between.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable

__all__ = ["FaultyPeer", "drip", "half_close", "receive", "reset", "send", "stall"]

Act = Callable[[socket.socket, threading.Event], object]


def send(data: bytes) -> Act:
    """Send `data`, whole. Never suspends. Safe from any thread."""
    return lambda connection, over: connection.sendall(data)


def drip(data: bytes, delay: float = 0.0) -> Act:
    """Send `data` byte by byte, `delay` seconds apart. Never suspends. Safe from any thread."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            if over.wait(delay):
                return
            connection.sendall(bytes([byte]))

    return act


def receive(size: int) -> Act:
    """Read `size` bytes of what the client sends. Never suspends. Safe from any thread."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        left = size
        while left:
            got = len(connection.recv(left))
            left = left - got if got else 0

    return act


def stall(seconds: float | None = None) -> Act:
    """Do nothing for some time, or to the end. Never suspends. Safe from any thread."""
    return lambda connection, over: over.wait(seconds)


def half_close() -> Act:
    """Send the end, and stay open for what comes. Never suspends. Safe from any thread."""
    return lambda connection, over: connection.shutdown(socket.SHUT_WR)


def reset() -> Act:
    """Break the connection off. Never suspends. Safe from any thread."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return act


class FaultyPeer:
    """`with FaultyPeer(receive(4), send(b"HTTP"), reset()) as peer: connect(*peer.address)`.

    Each connection gets the acts in their order, one connection after the other; then it is
    closed. Entering and leaving block the thread for a moment; safe from any thread.
    """

    def __init__(self, *acts: Act) -> None:
        self.acts = acts
        self.over = threading.Event()
        self.connection: socket.socket | None = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self.listener.getsockname()
        self.thread = threading.Thread(target=self.serve, name="faulty peer", daemon=True)

    def __enter__(self) -> FaultyPeer:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        for each in (self.listener, self.connection):
            with contextlib.suppress(OSError, AttributeError):
                each.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        self.thread.join()
        self.listener.close()

    def serve(self) -> None:
        """One connection after the other. Blocks the thread, its own. Not for other threads."""
        while not self.over.is_set():
            try:
                self.connection, _ = self.listener.accept()
            except OSError:
                return  # it was left
            with self.connection, contextlib.suppress(OSError):  # clients may hit back
                for act in self.acts:
                    act(self.connection, self.over)

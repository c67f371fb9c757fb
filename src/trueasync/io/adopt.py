"""Streams over what there is already: pipes, pairs, and descriptors and sockets of others."""

from __future__ import annotations

import os
import stat

from .address import in_words
from .listener import Listener
from .pipe import PipeStream
from .socket_stream import SocketStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

__all__ = ["adopt", "pipe", "stream_pair"]


def pipe() -> tuple[PipeStream, PipeStream]:
    """A new pipe: the end that reads and the end that writes.

    Never suspends. Safe from any thread.
    """
    reader, writer = os.pipe()
    return (
        PipeStream(reader, "the reading end of a pipe"),
        PipeStream(writer, "the writing end of a pipe"),
    )


def stream_pair() -> tuple[SocketStream, SocketStream]:
    """Two streams that are connected to each other, over a Unix socket.

    Never suspends. Safe from any thread.
    """
    from _socket import socketpair

    one, other = socketpair()
    return SocketStream(one.detach(), "a pair"), SocketStream(other.detach(), "a pair")


def adopt(source: socket.socket | int) -> SocketStream | PipeStream | Listener:
    """A stream over a connected socket, or over the descriptor of one or of a pipe.

    A listening socket becomes a listener. What is made owns it from now on: the socket given
    is detached. If this raises, nothing has changed. Never suspends. Safe from any thread.
    """
    fd = source if isinstance(source, int) else source.fileno()
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode):
        return PipeStream(fd)
    if not stat.S_ISSOCK(mode):
        raise TypeError(f"descriptor {fd} is neither a socket nor a pipe; open() reads files")
    made = adopt_socket(fd)
    if not isinstance(source, int):
        source.detach()
    return made


def adopt_socket(fd: int) -> SocketStream | Listener:
    """What a socket can be, by the kind it is."""
    import socket

    adopted = socket.socket(fileno=fd)
    try:
        if adopted.type != socket.SOCK_STREAM:
            raise TypeError(f"descriptor {fd} is no stream: it keeps messages apart")
        listens = adopted.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        where = adopted.getsockname() if listens else adopted.getpeername()
    finally:
        adopted.detach()
    name = in_words(where) or "a Unix socket"
    return Listener([socket.socket(fileno=fd)], name) if listens else SocketStream(fd, name)

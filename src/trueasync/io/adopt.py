"""Streams over what there is already: pipes, pairs, and descriptors and sockets of others."""

from __future__ import annotations

import os
import stat

from .address import in_words
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


def adopt(source: socket.socket | int) -> SocketStream | PipeStream:
    """A stream over a connected socket, or over the descriptor of one or of a pipe.

    The stream owns it from now on: the socket given is detached. If this raises, it is not.
    Never suspends. Safe from any thread.
    """
    fd = source if isinstance(source, int) else source.fileno()
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode):
        return PipeStream(fd)
    if not stat.S_ISSOCK(mode):
        raise TypeError(f"descriptor {fd} is neither a socket nor a pipe; open() reads files")
    name = name_of_socket(fd)
    if not isinstance(source, int):
        source.detach()
    return SocketStream(fd, name)


def name_of_socket(fd: int) -> str:
    """Where its other end is, in words; refuses what is no stream."""
    from _socket import SO_TYPE, SOCK_STREAM, SOL_SOCKET
    from _socket import socket as Socket

    borrowed = Socket(fileno=fd)
    try:
        if borrowed.getsockopt(SOL_SOCKET, SO_TYPE) != SOCK_STREAM:
            raise TypeError(f"descriptor {fd} is no stream: it keeps messages apart")
        return in_words(borrowed.getpeername()) or "a Unix socket"
    finally:
        borrowed.detach()

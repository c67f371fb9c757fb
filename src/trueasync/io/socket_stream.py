"""SocketStream: a connection, over TCP or a Unix socket."""

import errno
import os
from _socket import socket

import cython
from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.libc.errno import errno as c_errno
from cython.cimports.trueasync._c.socket import (
    SHUT_RD,
    SHUT_RDWR,
    SHUT_WR,
    shutdown,
    sockaddr_storage,
    socklen_t,
    trueasync_accept,
)
from cython.cimports.trueasync.io.descriptor_stream import DescriptorStream

from . import address

DIRECTIONS = {"read": SHUT_RD, "write": SHUT_WR, "both": SHUT_RDWR}


@cython.final
@cython.cclass
class SocketStream(DescriptorStream):
    """A connection: both ends read and write. Made by `connect`, `accept` and their kin.

    Not for other threads than that of the run it is used in.
    """

    def __init__(self, fd: int, name: str = ""):
        self.fd = fd
        self.name = name

    @property
    def peer_address(self):
        """Where the other end is: (host, port) and more for IPv6; a path for Unix sockets."""
        return self.ask("getpeername", ())

    @property
    def local_address(self):
        """Where this end is; as `peer_address`."""
        return self.ask("getsockname", ())

    def get_option(self, level: int, option: int, size: int = 0):
        """As `getsockopt` of a socket: a number, or `size` bytes. Never suspends."""
        return self.ask("getsockopt", (level, option, size) if size else (level, option))

    def set_option(self, level: int, option: int, value) -> None:
        """As `setsockopt` of a socket; `value` is a number or bytes. Never suspends."""
        self.ask("setsockopt", (level, option, value))

    def shutdown(self, direction: str = "write") -> None:
        """End one direction, "write" or "read", or "both"; the peer reads the end then.

        What was written before still arrives. Never suspends. Not for other threads.
        """
        if direction not in DIRECTIONS:
            raise ValueError(f'a direction is "read", "write" or "both", not {direction!r}')
        if self.closed:
            raise self.refusal("shut down")
        if shutdown(self.fd, DIRECTIONS[direction]) != 0 and c_errno != errno.ENOTCONN:
            raise self.failure("shut down", -c_errno)

    @cython.ccall
    def info(self) -> str:
        if not self.name and self.raw is not None:
            self.name = address.in_words(address.unpack(self.raw))
        return self.name or "a connection"

    @cython.cfunc
    def ask(self, method: str, arguments: tuple):
        """Call a method of the standard socket, which knows addresses and options."""
        if self.closed:
            raise self.refusal(f"call {method} of")
        borrowed = socket(fileno=self.fd)
        try:
            return getattr(borrowed, method)(*arguments)
        except OSError as error:
            text = f"{method} of {self.info()}: {os.strerror(error.errno)}"
            raise OSError(error.errno, text) from None
        finally:
            borrowed.detach()


@cython.cfunc
@cython.exceptval(-1, check=False)
def accept_now(listener: cython.int, taken: SocketStream) -> cython.int:
    """Give `taken` the next connection; 0, or the errno if there is none."""
    found: sockaddr_storage
    size: socklen_t = cython.sizeof(sockaddr_storage)
    fd: cython.int = trueasync_accept(listener, cython.address(found), cython.address(size))
    if fd < 0:
        return c_errno
    taken.fd = fd
    # In words only where somebody asks: few ever do.
    taken.raw = PyBytes_FromStringAndSize(cython.cast(cython.p_char, cython.address(found)), size)
    return 0


def try_accept(listener: int) -> SocketStream | int:
    """The next connection, or the errno if there is none. Never suspends."""
    taken: SocketStream = SocketStream.__new__(SocketStream)
    status: cython.int = accept_now(listener, taken)
    return taken if status == 0 else status

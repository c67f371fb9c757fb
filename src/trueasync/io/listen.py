"""listen, listen_unix: sockets for others to connect to."""

from __future__ import annotations

import errno
import os
import stat

from .address import in_words
from .listener import Listener
from .resolve import Address, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from .socket_stream import SocketStream

__all__ = ["listen", "listen_unix", "serve"]

BACKLOG = 1024  # connections the system keeps until they are accepted
TRIES = 20  # to find a port that is free in both families
UNAVAILABLE = frozenset((errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT))


def listen(
    host: str | None = None,
    port: int = 0,
    *,
    backlog: int = BACKLOG,
    reuse_port: bool = False,
    ipv6_only: bool = True,
) -> Listener:
    """Listen for TCP connections, at every address of `host`; None is all of this machine.

    With port 0 the system chooses one, the same for all: `listener.port`. `reuse_port` lets
    several processes listen at the same. An IPv6 socket takes IPv4 as well if `ipv6_only` is
    false. Suspends the coroutine while a name is looked up. Safe from any thread.
    """
    addresses = resolve(host, check_port(port), passive=True)
    for remaining in reversed(range(TRIES)):
        sockets: list[socket.socket] = []
        try:
            bind_all(sockets, addresses, backlog, reuse_port, ipv6_only)
            return Listener(sockets, ", ".join(in_words(each.getsockname()) for each in sockets))
        except BaseException as error:
            for each in sockets:
                each.close()
            chosen = port == 0 and len(addresses) > 1  # for the first; another had the second
            if not (remaining and chosen and getattr(error, "errno", 0) == errno.EADDRINUSE):
                raise
    raise AssertionError  # the last try has returned or raised


def serve(
    handler: Callable[[SocketStream], object],
    host: str | None = None,
    port: int = 0,
    *,
    on_error: Callable[[Exception, SocketStream], object] | None = None,
) -> None:
    """Listen at `host` and `port`, and serve each connection: `listen` and `Listener.serve`.

    Suspends the coroutine, until it is cancelled or a handler fails. Not for other threads.
    """
    with listen(host, port) as listener:
        listener.serve(handler, on_error=on_error)


def bind_all(
    sockets: list[socket.socket],
    addresses: list[Address],
    backlog: int,
    reuse_port: bool,
    ipv6_only: bool,
) -> None:
    """A listening socket for each address; a family this machine lacks is left out."""
    missing: OSError | None = None
    for address in addresses:
        where = address.where
        if sockets and where[1] == 0:  # the port that was chosen for the first
            where = (where[0], sockets[0].getsockname()[1], *where[2:])
        try:
            sockets.append(bind(address.family, where, backlog, reuse_port, ipv6_only))
        except OSError as error:
            if error.errno not in UNAVAILABLE:
                raise
            missing = error
    if not sockets:
        raise missing or OSError(errno.EADDRNOTAVAIL, "there is no address to listen at")


def bind(
    family: int, where: tuple[object, ...], backlog: int, reuse_port: bool, ipv6_only: bool
) -> socket.socket:
    import socket

    made = None
    try:
        made = socket.socket(family, socket.SOCK_STREAM)
        # Or the port could not be used again while old connections of it linger.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, ipv6_only)
        # Connections inherit it: who writes a whole message wants it to go out.
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind(where)
        made.listen(backlog)
    except BaseException as error:
        if made is not None:
            made.close()
        if isinstance(error, OSError) and error.errno:
            text = f"cannot listen at {in_words(where)}: {os.strerror(error.errno)}"
            raise OSError(error.errno, text) from None
        raise
    return made


def check_port(port: int) -> int:
    if not 0 <= port <= 65535:
        raise ValueError(f"a TCP port is a number from 0 to 65535, not {port}")
    return port


def listen_unix(
    path: str | bytes | os.PathLike[str], *, backlog: int = BACKLOG, mode: int | None = None
) -> Listener:
    """Listen at a Unix socket; one whose path begins with "\\0" has no file (Linux only).

    The file of a socket that nobody listens at any more is replaced; it is removed when the
    listener is closed. `mode` is for its permissions, by default what the umask leaves.
    Never suspends. Safe from any thread.
    """
    import socket

    where = os.fspath(path)
    named = os.fsencode(where)[:1] != b"\0"
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if named:
            remove_dead(where)
        made.bind(where)
        if named and mode is not None:
            os.chmod(where, mode)
        made.listen(backlog)
    except BaseException as error:
        made.close()
        if isinstance(error, OSError) and error.errno:
            text = f"cannot listen at {in_words(where)}: {os.strerror(error.errno)}"
            raise OSError(error.errno, text) from None
        raise
    return Listener([made], in_words(where), os.path.abspath(where) if named else "")


def remove_dead(path: str | bytes) -> None:
    """Remove the file of a socket that nobody listens at; any other is left alone."""
    import socket

    try:
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.setblocking(False)  # one with a full backlog is alive
            probe.connect(path)
    except ConnectionRefusedError:
        os.unlink(path)
    except OSError:
        return

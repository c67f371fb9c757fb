"""getaddrinfo and getnameinfo, as the `socket` module has them, but only the coroutine waits."""

from __future__ import annotations

import socket

from ..scheduler.calls import running_scheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Address = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
    Found = tuple[socket.AddressFamily, socket.SocketKind, int, str, Address]

__all__ = ["getaddrinfo", "getnameinfo"]


def getaddrinfo(
    host: str | bytes | None,
    port: str | bytes | int | None,
    family: int = 0,
    type: int = 0,
    proto: int = 0,
    flags: int = 0,
) -> list[Found]:
    """As `socket.getaddrinfo`: the same results, in the same order, and the same errors.

    A lookup whose coroutine is cancelled is left behind, or dropped if it has not begun.
    Suspends the coroutine, but for an address in numbers. Not for other threads.
    """
    scheduler = running_scheduler("getaddrinfo")
    if is_numeric(host) and not is_name(port):
        try:
            numeric: Any = socket.getaddrinfo(
                host, port, family, type, proto, flags | socket.AI_NUMERICHOST
            )
            return numeric  # type: ignore[no-any-return]
        except socket.gaierror:
            pass  # a name after all; or the lookup says what is wrong
    lookup = scheduler.reactor.lookup(host, port, family, type, proto, flags)
    scheduler.wait(lookup)
    found: list[Found] = lookup.outcome()
    return found


def getnameinfo(address: tuple[Any, ...], flags: int) -> tuple[str, str]:
    """As `socket.getnameinfo`: the name of the host and of the service at `address`.

    Suspends the coroutine, unless `flags` ask for numbers only. Not for other threads.
    """
    scheduler = running_scheduler("getnameinfo")
    numbers = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
    if flags & numbers == numbers:
        return socket.getnameinfo(address, flags)
    lookup = scheduler.reactor.reverse_lookup(address, flags)
    scheduler.wait(lookup)
    name: tuple[str, str] = lookup.outcome()
    return name


def is_numeric(host: str | bytes | None) -> bool:
    """Whether it may be an address in numbers; asking the resolver is no wait then."""
    if isinstance(host, bytes):
        host = host.decode("latin-1")
    return host is None or (isinstance(host, str) and (host[:1].isdecimal() or ":" in host))


def is_name(port: str | bytes | int | None) -> bool:
    """Whether it is the name of a service, which stands in a file."""
    return isinstance(port, (str, bytes)) and not port.isdigit()

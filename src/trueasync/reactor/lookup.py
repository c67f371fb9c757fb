"""Lookup and ReverseLookup: fire with the addresses of a name, and with the name of an address.

The standard library does it, in a thread of a crew of our own: whatever it knows (hosts file,
IDNA, scopes, flags), the same results and the same errors. libuv's own lookups share its pool
with the files, two at a time, and a program cannot end before they do: decision 12.
"""

from __future__ import annotations

import socket

from .base import Reactor
from .thread_call import ThreadCall
from .workers import Crew

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Lookup", "ReverseLookup"]

MOST_LOOKUPS = 32  # at a time: dead ones, which take up to half a minute, block no others soon
crew = Crew(MOST_LOOKUPS)


class Lookup(ThreadCall):
    """Fires with what `socket.getaddrinfo` returns or raises. Not for other threads."""

    def __init__(
        self,
        reactor: Reactor,
        host: str | bytes | None,
        port: str | bytes | int | None,
        family: int = 0,
        type: int = 0,
        proto: int = 0,
        flags: int = 0,
    ) -> None:
        arguments: tuple[Any, ...] = (host, port, family, type, proto, flags)
        super().__init__(reactor, socket.getaddrinfo, arguments, None, crew)
        self.may_fail = True  # what nobody waits for any more is nobody's error
        self.what = f"{host!r}, port {port!r}"

    def info(self) -> str:
        return f"the addresses of {self.what}"


class ReverseLookup(ThreadCall):
    """Fires with what `socket.getnameinfo` returns or raises. Not for other threads."""

    def __init__(self, reactor: Reactor, address: tuple[Any, ...], flags: int = 0) -> None:
        super().__init__(reactor, socket.getnameinfo, (address, flags), None, crew)
        self.may_fail = True
        self.what = repr(address)

    def info(self) -> str:
        return f"the name of {self.what}"

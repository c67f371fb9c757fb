"""Multicast: the options of a socket for messages to groups, for both families."""

from __future__ import annotations

import _socket as names
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Option = tuple[int, int, int | bytes]  # what setsockopt takes

__all__ = ["membership", "sending"]


def membership(joins: bool, family: int, group: str, interface: str | int | None) -> Option:
    """To join a group, or to leave it. Never suspends."""
    if family == names.AF_INET:
        kind = names.IP_ADD_MEMBERSHIP if joins else names.IP_DROP_MEMBERSHIP
        return names.IPPROTO_IP, kind, names.inet_aton(group) + place_of(interface)
    kind = names.IPV6_JOIN_GROUP if joins else names.IPV6_LEAVE_GROUP
    raw = names.inet_pton(names.AF_INET6, group) + as_int(number_of(interface))
    return names.IPPROTO_IPV6, kind, raw


def sending(
    family: int, loop: bool | None, hops: int | None, interface: str | int | None
) -> Iterator[Option]:
    """How messages to a group are sent; None leaves that as it is. Never suspends."""
    four = family == names.AF_INET
    level = names.IPPROTO_IP if four else names.IPPROTO_IPV6
    if loop is not None:
        yield level, names.IP_MULTICAST_LOOP if four else names.IPV6_MULTICAST_LOOP, int(loop)
    if hops is not None:
        yield level, names.IP_MULTICAST_TTL if four else names.IPV6_MULTICAST_HOPS, hops
    if interface is not None and four:
        yield level, names.IP_MULTICAST_IF, bytes(4) + place_of(interface)
    elif interface is not None:
        yield level, names.IPV6_MULTICAST_IF, number_of(interface)


def place_of(interface: str | int | None) -> bytes:
    """An interface as the second half of an ip_mreqn: by an address of it, or its number."""
    if isinstance(interface, str) and interface[:1].isdigit():
        return names.inet_aton(interface) + as_int(0)
    return bytes(4) + as_int(number_of(interface))


def number_of(interface: str | int | None) -> int:
    """The number of an interface; 0 lets the system choose."""
    if isinstance(interface, str):
        return names.if_nametoindex(interface)
    return interface or 0


def as_int(number: int) -> bytes:
    """As a C int is in memory."""
    return number.to_bytes(4, sys.byteorder)

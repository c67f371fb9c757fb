"""Addresses of sockets in words, for messages; and as the system writes them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["in_words", "unpack"]

# Where the family stands in a raw address: BSD has its length before that.
FAMILY = slice(0, 2) if sys.platform == "linux" else slice(1, 2)


def in_words(address: Any) -> str:
    """Such as "127.0.0.1:80", "[::1]:80", "/path", "@abstract"; empty if it has none.

    Never suspends.
    """
    if isinstance(address, tuple):
        host, port = address[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    text = os.fsdecode(address)
    return "@" + text[1:] if text.startswith("\0") else text


def unpack(raw: bytes) -> Any:
    """What `getpeername` would say, from the bytes of a C `sockaddr`. Never suspends."""
    from _socket import AF_INET, AF_INET6, inet_ntop

    family = int.from_bytes(raw[FAMILY], sys.byteorder)
    port = int.from_bytes(raw[2:4], "big")
    if family == AF_INET:
        return inet_ntop(AF_INET, raw[4:8]), port
    if family == AF_INET6:
        return inet_ntop(AF_INET6, raw[8:24]), port
    path = raw[2:]
    return path if path.startswith(b"\0") else path.partition(b"\0")[0]

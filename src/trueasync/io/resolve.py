"""Addresses of a name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Address", "resolve"]


class Address:
    """One address to connect to or to listen at: its family, and what `bind` wants."""

    def __init__(self, family: int, where: Any) -> None:
        self.family = family
        self.where = where


def resolve(host: str | None, port: int, passive: bool = False) -> list[Address]:
    """The addresses of `host`, the best first; with `passive`, to listen at.

    Suspends the coroutine while others look up the name.
    """
    from _socket import AI_PASSIVE, SOCK_STREAM

    from .dns import getaddrinfo

    found = getaddrinfo(host, port, 0, SOCK_STREAM, 0, AI_PASSIVE if passive else 0)
    return [Address(family, where) for family, _, _, _, where in found]

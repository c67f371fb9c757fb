"""select: select, poll and epoll wait politely; none of them is taken away.

Each asks the original first, without waiting, and again whenever something may have happened.
"""

from __future__ import annotations

import select as native

from .waiting import Timeout, wait_for_any, wait_readable, waits_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


MOST_MILLISECONDS = 2**31 - 1  # more is refused by the original
native_select = native.select
native_poll: Any = getattr(native, "poll", None)
native_epoll: Any = getattr(native, "epoll", None)


def select(
    rlist: Iterable[Any], wlist: Iterable[Any], xlist: Iterable[Any], timeout: Any = None, /
) -> tuple[list[Any], list[Any], list[Any]]:
    """As select.select. Suspends the coroutine until one is ready, or `timeout` is over."""
    if not waits_here(timeout):
        return native_select(rlist, wlist, xlist, timeout)
    asked = as_sequence(rlist), as_sequence(wlist), as_sequence(xlist)
    ready = native_select(*asked, 0)
    end = Timeout(timeout)
    while not any(ready) and end.left() != 0:
        masks: dict[int, int] = {}
        for fds, mask in zip(asked, (native.POLLIN, native.POLLOUT, native.POLLPRI), strict=True):
            for each in fds:
                fd = number_of(each)
                masks[fd] = masks.get(fd, 0) | mask
        wait_for_any(masks, end.left())
        ready = native_select(*asked, 0)
    return ready


def as_sequence(fds: Iterable[Any]) -> Any:
    """It is gone through more than once; what cannot be is refused by the original."""
    return list(fds) if hasattr(fds, "__next__") else fds


def number_of(file: Any) -> int:
    return file if isinstance(file, int) else int(file.fileno())


def poll() -> Poll:
    """As select.poll. Never suspends; the `poll` of what it gives does."""
    return Poll._made()


class Poll:
    """What select.poll() gives: as the original, and polite. Safe from any thread."""

    _native: Any
    _masks: dict[int, int]

    def __init__(self) -> None:
        raise TypeError("cannot create 'select.poll' instances")

    @classmethod
    def _made(cls) -> Poll:
        made = cls.__new__(cls)
        made._native = native_poll()
        made._masks = {}
        return made

    def register(self, fd: Any, *eventmask: int) -> None:
        """As the original. Never suspends."""
        self._native.register(fd, *eventmask)
        usual = native.POLLIN | native.POLLPRI | native.POLLOUT
        self._masks[number_of(fd)] = eventmask[0] if eventmask else usual

    def modify(self, fd: Any, eventmask: int, /) -> None:
        """As the original. Never suspends."""
        self._native.modify(fd, eventmask)
        self._masks[number_of(fd)] = eventmask

    def unregister(self, fd: Any, /) -> None:
        """As the original. Never suspends."""
        self._native.unregister(fd)
        self._masks.pop(number_of(fd), None)

    def poll(self, timeout: Any = None, /) -> list[tuple[int, int]]:
        """As the original, in milliseconds. Suspends the coroutine until one is ready."""
        if timeout is not None and isinstance(timeout, (int, float)) and timeout < 0:
            timeout = None
        if not waits_here(timeout) or (timeout or 0) > MOST_MILLISECONDS:
            return self._native.poll(timeout)  # type: ignore[no-any-return]
        ready: list[tuple[int, int]] = self._native.poll(0)
        end = Timeout(None if timeout is None else timeout / 1000)
        while not ready and end.left() != 0:
            wait_for_any(self._masks, end.left())
            ready = self._native.poll(0)
        return ready


class Epoll:
    """What select.epoll() gives: as the original, and polite. Safe from any thread."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self._native = native_epoll(*arguments, **keywords)

    @classmethod
    def fromfd(cls, fd: int, /) -> Epoll:
        """As the original. Never suspends."""
        made = cls.__new__(cls)
        made._native = native_epoll.fromfd(fd)
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)  # register, modify, unregister, fileno, closed

    def __enter__(self) -> Epoll:
        self._native.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._native.__exit__(*error)

    def close(self) -> None:
        """As the original. Never suspends."""
        self._native.close()

    def poll(self, timeout: Any = None, maxevents: int = -1) -> list[tuple[int, int]]:
        """As the original, in seconds. Suspends the coroutine until one is ready."""
        if timeout is not None and isinstance(timeout, (int, float)) and timeout < 0:
            timeout = None
        if not waits_here(timeout):
            return self._native.poll(timeout, maxevents)  # type: ignore[no-any-return]
        ready: list[tuple[int, int]] = self._native.poll(0, maxevents)
        end = Timeout(timeout)
        while not ready and end.left() != 0:
            wait_readable(self._native.fileno(), end.left())
            ready = self._native.poll(0, maxevents)
        return ready


Poll.__module__ = "select"
Poll.__name__ = Poll.__qualname__ = "poll"
Epoll.__name__ = Epoll.__qualname__ = "epoll"


def replacements() -> list[tuple[Any, str, Any]]:
    """What is put where in `select`. Never suspends."""
    found: list[tuple[Any, str, Any]] = [(native, "select", select)]
    if native_epoll is not None:
        found += [(native, "poll", poll), (native, "epoll", Epoll)]
    return found

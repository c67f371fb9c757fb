"""selectors: every selector waits politely, also one that was made before."""

from __future__ import annotations

import select as native

from .waiting import Timeout, wait_for_any, wait_readable, waits_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Select = Callable[..., list[Any]]


def polite(original: Select, wait: Callable[[Any, float | None], object]) -> Select:
    """`select(timeout)` of a selector that waits with `wait(selector, seconds)`."""

    def select(self: Any, timeout: float | None = None) -> list[Any]:
        """As the original. Suspends the coroutine until something is ready."""
        if not waits_here(timeout):
            return original(self, timeout)
        ready = original(self, 0)
        end = Timeout(timeout)
        while not ready and end.left() != 0:
            wait(self, end.left())
            ready = original(self, 0)
        return ready

    return select


def wait_at_own_descriptor(selector: Any, seconds: float | None) -> object:
    """For those that have one: it can be read when one of theirs is ready."""
    return wait_readable(selector.fileno(), seconds)


def wait_at_each(selector: Any, seconds: float | None) -> object:
    """For those that are no more than a list."""
    import selectors

    masks = {}
    for fd, key in (selector.get_map() or {}).items():
        reads = native.POLLIN if key.events & selectors.EVENT_READ else 0
        writes = native.POLLOUT if key.events & selectors.EVENT_WRITE else 0
        masks[fd] = reads | writes
    return wait_for_any(masks, seconds)


def replacements() -> list[tuple[Any, str, Any]]:
    """What is put where in `selectors`. Never suspends."""
    import selectors

    found: list[tuple[Any, str, Any]] = []
    for name in ("SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector"):
        selector = getattr(selectors, name, None)
        if selector is not None:
            own = name == "EpollSelector"
            wait = wait_at_own_descriptor if own else wait_at_each
            found.append((selector, "select", polite(selector.select, wait)))
    return found

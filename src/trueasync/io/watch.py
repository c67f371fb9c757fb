"""Watch: what waits for the descriptor of a handle, for kinds in plain Python."""

from __future__ import annotations

from ..scheduler.calls import running_scheduler, suspend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..events.event import Event
    from ..reactor.base import Descriptor, Reactor
    from .handle import Handle

__all__ = ["Watch"]

REQUESTS_PER_PAUSE = 16  # in a row that need no wait, before the others get a chance


class Watch:
    """Tries what a handle does with its descriptor, and waits where it would block.

    It does not hold the handle, which holds it: so that nobody has to collect them.
    The descriptor must not block. Not for other threads than that of the run it is used in.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.in_a_row = 0
        self.reactor: Reactor | None = None
        self.watched: Descriptor | None = None

    def read(self, handle: Handle, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call it until there was something to read. Suspends the coroutine meanwhile."""
        self.give_way(handle)
        while True:
            try:
                return function(*arguments)
            except BlockingIOError:
                pass
            except OSError as error:
                raise self.failure(handle, "read from", error) from None
            self.wait(handle, self.descriptor().readable(), "read from")

    def write(self, handle: Handle, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call it until something was written. Suspends the coroutine meanwhile."""
        self.give_way(handle)
        while True:
            try:
                return function(*arguments)
            except BlockingIOError:
                pass
            except OSError as error:
                raise self.failure(handle, "write to", error) from None
            self.wait(handle, self.descriptor().writable(), "write to")

    def await_readable(self, handle: Handle) -> None:
        """Wait until there is something to read, or the end. Suspends the coroutine."""
        self.wait(handle, self.descriptor().readable(), "read from")

    def end(self, handle: Handle) -> None:
        """Watch it no more, before it is closed; who waits is told. Never suspends."""
        if self.watched is not None and not self.watched.closed:
            self.watched.close(handle.refusal("use"))
        self.watched = self.reactor = None

    def abandon(self, close: Callable[[], object]) -> None:
        """As `end`, then `close()`, from wherever the last reference to the handle went.

        Never suspends. Safe from any thread.
        """
        watched, reactor = self.watched, self.reactor
        if watched is None or reactor is None or watched.closed:
            close()
            return

        def release() -> None:
            watched.close(None)
            close()

        if not reactor.post(release):
            close()

    def wait(self, handle: Handle, event: Event, what: str) -> None:
        self.in_a_row = 0
        running_scheduler("wait").wait(event)
        if handle.closed:
            raise handle.refusal(what)
        event.outcome()

    def descriptor(self) -> Descriptor:
        """Who watches it in this run. Never suspends."""
        reactor = running_scheduler("wait").reactor
        if self.watched is None or self.watched.closed or self.reactor is not reactor:
            self.reactor = reactor
            self.watched = reactor.descriptor(self.fd)
        return self.watched

    def give_way(self, handle: Handle) -> None:
        """Let others run now and then: who never has to wait would keep the thread."""
        self.in_a_row += 1
        if self.in_a_row > REQUESTS_PER_PAUSE:
            self.in_a_row = 0
            suspend()
            if handle.closed:
                raise handle.refusal("use")

    def failure(self, handle: Handle, what: str, error: OSError) -> OSError:
        """`error`, saying what was tried with whom. Never suspends."""
        if handle.closed:
            return handle.refusal(what)
        number: Any = error.errno
        return OSError(number, f"cannot {what} {handle.info()}: {error.strerror}")

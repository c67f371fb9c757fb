"""Trigger: coroutines wait until a native thread says so."""

from __future__ import annotations

from ..scheduler.calls import running_scheduler

__all__ = ["Trigger"]


class Trigger:
    """Fired by any thread, as often as it likes; waited for by coroutines of one run.

    What other threads have to say goes by another way, such as a `collections.deque`: after
    each `wait` look at all that is there, because several fires may be one wake-up.
    """

    def __init__(self) -> None:
        """For the run of this thread. Never suspends."""
        self.event = running_scheduler("Trigger").reactor.trigger()

    def fire(self) -> bool:
        """Wake everyone who waits; if nobody does, the next `wait` returns at once.

        False if that adds nothing: an earlier fire has not been heard of yet, or the run is
        over. Never suspends. Safe from any thread.
        """
        return self.event.fire()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it is fired. TimeoutError after `timeout` seconds.

        Suspends the coroutine, unless it has been fired since the last wait.
        Not for other threads than that of the run.
        """
        scheduler = running_scheduler("Trigger.wait")
        if timeout is None:
            scheduler.wait(self.event)
        elif scheduler.wait(self.event, scheduler.reactor.timer(timeout)) is not self.event:
            raise TimeoutError(f"nobody fired {self!r} within {timeout} s")
        self.event.again()

    def __repr__(self) -> str:
        return f"<Trigger, {self.event.starts} waiting>"

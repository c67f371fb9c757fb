"""AsFuture: how other threads, and the code of concurrent.futures, see a completion."""

from __future__ import annotations

import concurrent.futures
import sys
import threading

from ..errors import Cancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .completion import Completion

__all__ = ["AsFuture", "CancelledOutside", "block_thread"]

if sys.version_info < (3, 11):

    class TimeoutOutside(concurrent.futures.TimeoutError, TimeoutError):
        """Raised in a thread by `result(timeout)`: from 3.11 on the two are one."""

else:
    TimeoutOutside = TimeoutError


class CancelledOutside(Cancelled, concurrent.futures.CancelledError):
    """What `result()` raises of a cancelled one where no run is: as any other future would."""


class AsFuture:
    """What `concurrent.futures.wait` and `as_completed` work with, and who waits in threads."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.waiters: list[Any] = []
        self.settled = False

    def settle(self, completion: Completion[Any]) -> None:
        """It is done: tell everybody. Never suspends. Safe from any thread."""
        with self.condition:
            self.settled = True
            for waiter in self.waiters:
                if completion.cancelled():
                    waiter.add_cancelled(completion)
                elif completion.failed():
                    waiter.add_exception(completion)
                else:
                    waiter.add_result(completion)
            self.condition.notify_all()


def block_thread(seen: AsFuture, name: str, timeout: float | None) -> None:
    """Wait until it is settled; TimeoutError after `timeout` seconds.

    Blocks the thread, which must not be that of the run.
    """
    with seen.condition:
        if not seen.condition.wait_for(lambda: seen.settled, timeout):
            raise TimeoutOutside(f"{name} has not finished within {timeout} s")

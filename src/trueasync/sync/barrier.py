"""Barrier: `threading.Barrier` for coroutines and native threads together."""

from __future__ import annotations

import threading

from .condition import Condition
from .lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Barrier"]


class Barrier(threading.Barrier):
    """As `threading.Barrier`: everybody waits until the last of `parties` has come.

    Who is cancelled while waiting leaves, and another may take that place.
    Safe from any thread.
    """

    __module__ = "trueasync"

    def __init__(
        self, parties: int, action: Callable[[], None] | None = None, timeout: float | None = None
    ) -> None:
        super().__init__(parties, action, timeout)
        self._cond = Condition(Lock())

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the others; a number of one's own, from 0 to one less than `parties`.

        `threading.BrokenBarrierError` if it is broken, or not all come in time.
        Suspends the coroutine, except for who comes last. Safe from any thread.
        """
        return super().wait(timeout)

    def reset(self) -> None:
        """Start again; who waits gets BrokenBarrierError.

        Suspends the coroutine while its action runs. Safe from any thread.
        """
        super().reset()

    def abort(self) -> None:
        """Break it, for who waits and who comes.

        Suspends the coroutine while its action runs. Safe from any thread.
        """
        super().abort()

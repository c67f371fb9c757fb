"""Every exception of trueasync, and who raises it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Cancelled",
    "ChannelClosed",
    "CircuitOpen",
    "DeadlockError",
    "HandleClosed",
    "IncompleteRead",
    "LimitExceeded",
    "OperationCancelled",
    "PoolClosed",
    "UsageError",
]


class Cancelled(BaseException):
    """Thrown at the wait of a coroutine that was asked to stop, or to leave a block of code.

    It is no ``Exception``, so ``except Exception`` lets it pass. Its text says who asked.
    A cancellation is known by identity: it ends where the scope, the timeout or the coroutine
    is left that this very object was made for; anywhere else it is an error like any other.
    """


class OperationCancelled(Cancelled):
    """Raised by a wait whose token was done before: whoever passed the token called it off.

    `token` is that; if it failed, its error is the cause. What was waited for goes on, and
    the coroutine is not cancelled: uncaught, this is an error like any other.
    """

    token: Any = None


class ChannelClosed(Exception):
    """Raised by a channel that was closed: nothing more goes in, or comes out.

    `channel` is the one, and `reason` what it was closed with; None for a normal close.
    """

    channel: Any = None
    reason: object = None


class CircuitOpen(Exception):
    """Raised where a circuit breaker lets nobody pass: the service behind it has failed."""


class DeadlockError(RuntimeError):
    """Raised by ``run`` when coroutines wait and nothing can wake them.

    Its text names each coroutine, where it was spawned, where it waits and for what.
    """


class HandlerError(Exception):
    """A Python signal handler raised `error` while a reactor waited: it is the main coroutine's."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class PoolClosed(Exception):
    """Raised by `acquire` of a pool that was closed, also for those who waited."""


class UsageError(RuntimeError):
    """Raised at the call that cannot work here; the text says what to do instead."""


class HandleClosed(OSError):
    """Raised by what was closed: to who waited in it then, and to who uses it after that.

    Its errno is EBADF, and `handle` is what was closed. A peer that hung up is no such case:
    that is an end, or a ConnectionError.
    """

    handle: object = None


class IncompleteRead(EOFError):
    """Raised where the end came before all that was asked for.

    `partial` is what had come until then, and `expected` how many bytes were asked for, or
    the separator that was searched.
    """

    partial: bytes = b""
    expected: int | bytes = 0


class LimitExceeded(ValueError):
    """Raised where more has come than the caller allowed; all of it can still be read."""

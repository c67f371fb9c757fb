"""trueasync: ordinary blocking Python, run concurrently. No async, no await."""

from __future__ import annotations

from .errors import (
    Cancelled,
    ChannelClosed,
    DeadlockError,
    HandleClosed,
    IncompleteRead,
    LimitExceeded,
    UsageError,
)
from .io.handle import Handle
from .io.output import inherit_output
from .io.stream import Stream
from .io.trigger import Trigger
from .runtime import on_main_start, run, stats
from .scheduler.calls import current_coroutine, get_coroutines, options, sleep, spawn, suspend
from .scheduler.coroutine import Coroutine
from .scheduler.moment import Moment, Priority
from .scope.iterate import iterate
from .sync.channel import Channel
from .sync.select import select

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "Channel",
    "ChannelClosed",
    "Coroutine",
    "DeadlockError",
    "Handle",
    "HandleClosed",
    "IncompleteRead",
    "LimitExceeded",
    "Moment",
    "Priority",
    "Stream",
    "Trigger",
    "UsageError",
    "current_coroutine",
    "get_coroutines",
    "inherit_output",
    "iterate",
    "on_main_start",
    "options",
    "run",
    "select",
    "sleep",
    "spawn",
    "stats",
    "suspend",
]

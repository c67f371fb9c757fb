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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scheduler.report import report

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
    "report",
    "run",
    "select",
    "sleep",
    "spawn",
    "stats",
    "suspend",
]

# What most programs do not need is imported by its first use.
LATER = {"report": "scheduler.report"}


def __getattr__(name: str) -> object:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{LATER[name]}"), name)
    globals()[name] = value
    return value

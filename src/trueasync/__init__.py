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
    from .io.process import Process, wait_for_process
    from .io.run_process import run_process
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
    "Process",
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
    "run_process",
    "select",
    "sleep",
    "spawn",
    "stats",
    "suspend",
    "wait_for_process",
]

# Imported when they are first used: what they stand on is dear to import.
LATER = {
    "Process": "io.process",
    "report": "scheduler.report",
    "run_process": "io.run_process",
    "wait_for_process": "io.process",
}


if not TYPE_CHECKING:  # a type checker would take it for leave to ask for anything

    def __getattr__(name: str) -> object:
        if name not in LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        item = getattr(importlib.import_module(f"{__name__}.{LATER[name]}"), name)
        globals()[name] = item
        return item

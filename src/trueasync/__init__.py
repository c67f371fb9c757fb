"""trueasync: ordinary blocking Python, run concurrently. No async, no await."""

from __future__ import annotations

from .errors import (
    Cancelled,
    ChannelClosed,
    CircuitOpen,
    DeadlockError,
    HandleClosed,
    IncompleteRead,
    LimitExceeded,
    PoolClosed,
    UsageError,
)
from .io.handle import Handle
from .io.output import inherit_output
from .io.stream import Stream
from .io.trigger import Trigger
from .runtime import on_main_start, options, run, shutdown, stats
from .scheduler.calls import current_coroutine, get_coroutines, sleep, spawn, suspend
from .scheduler.coroutine import Coroutine
from .scheduler.moment import Moment, Priority
from .scope.iterate import iterate
from .scope.scope import Scope, current_scope, scope
from .scope.shield import shield
from .scope.timeout import clock, deadline, move_on, timeout
from .stdlib.patching import patch, patched, unpatch
from .sync.channel import Channel
from .sync.condition import Condition
from .sync.event import Event
from .sync.lock import Lock
from .sync.rlock import RLock
from .sync.select import select
from .sync.semaphore import BoundedSemaphore, Semaphore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .events.change import Change
    from .io.adopt import adopt, pipe, stream_pair
    from .io.connect import connect, connect_unix
    from .io.device import Device
    from .io.dns import getaddrinfo, getnameinfo
    from .io.file import File
    from .io.files import open_file, read_file, write_file
    from .io.filesystem import FileSystemWatcher
    from .io.listen import listen, listen_unix
    from .io.listener import Listener
    from .io.offload import offload
    from .io.pipe import PipeStream
    from .io.process import Process, wait_for_process
    from .io.run_process import run_process
    from .io.signals import signal
    from .io.socket_stream import SocketStream
    from .io.start_tls import start_tls
    from .io.thread_pool import ThreadPool
    from .io.tls import TlsStream
    from .scheduler.report import report
    from .sync.barrier import Barrier
    from .sync.breaker import CircuitBreaker
    from .sync.loan import Loan
    from .sync.pool import Pool
    from .sync.queue import Queue
    from .sync.queue_errors import ShutDown
    from .sync.queues import LifoQueue, PriorityQueue
    from .sync.simplequeue import SimpleQueue
    from .sync.threadchannel import ThreadChannel

__version__ = "0.1.0"

__all__ = [
    "Barrier",
    "BoundedSemaphore",
    "Cancelled",
    "Change",
    "Channel",
    "ChannelClosed",
    "CircuitBreaker",
    "CircuitOpen",
    "Condition",
    "Coroutine",
    "DeadlockError",
    "Device",
    "Event",
    "File",
    "FileSystemWatcher",
    "Handle",
    "HandleClosed",
    "IncompleteRead",
    "LifoQueue",
    "LimitExceeded",
    "Listener",
    "Loan",
    "Lock",
    "Moment",
    "PipeStream",
    "Pool",
    "PoolClosed",
    "Priority",
    "PriorityQueue",
    "Process",
    "Queue",
    "RLock",
    "Scope",
    "Semaphore",
    "ShutDown",
    "SimpleQueue",
    "SocketStream",
    "Stream",
    "ThreadChannel",
    "ThreadPool",
    "TlsStream",
    "Trigger",
    "UsageError",
    "adopt",
    "clock",
    "connect",
    "connect_unix",
    "current_coroutine",
    "current_scope",
    "deadline",
    "get_coroutines",
    "getaddrinfo",
    "getnameinfo",
    "inherit_output",
    "iterate",
    "listen",
    "listen_unix",
    "move_on",
    "offload",
    "on_main_start",
    "open_file",
    "options",
    "patch",
    "patched",
    "pipe",
    "read_file",
    "report",
    "run",
    "run_process",
    "scope",
    "select",
    "shield",
    "shutdown",
    "signal",
    "sleep",
    "spawn",
    "start_tls",
    "stats",
    "stream_pair",
    "suspend",
    "timeout",
    "unpatch",
    "wait_for_process",
    "write_file",
]


# Imported when they are first used: what they stand on is dear to import.
LATER = {
    "Barrier": "sync.barrier",
    "getaddrinfo": "io.dns",
    "getnameinfo": "io.dns",
    "Change": "events.change",
    "CircuitBreaker": "sync.breaker",
    "Device": "io.device",
    "File": "io.file",
    "FileSystemWatcher": "io.filesystem",
    "LifoQueue": "sync.queues",
    "Listener": "io.listener",
    "Loan": "sync.loan",
    "PipeStream": "io.pipe",
    "Pool": "sync.pool",
    "PriorityQueue": "sync.queues",
    "Process": "io.process",
    "Queue": "sync.queue",
    "ShutDown": "sync.queue_errors",
    "SimpleQueue": "sync.simplequeue",
    "SocketStream": "io.socket_stream",
    "ThreadChannel": "sync.threadchannel",
    "TlsStream": "io.tls",
    "adopt": "io.adopt",
    "connect": "io.connect",
    "connect_unix": "io.connect",
    "listen": "io.listen",
    "listen_unix": "io.listen",
    "open_file": "io.files",
    "pipe": "io.adopt",
    "read_file": "io.files",
    "ThreadPool": "io.thread_pool",
    "offload": "io.offload",
    "report": "scheduler.report",
    "run_process": "io.run_process",
    "signal": "io.signals",
    "start_tls": "io.start_tls",
    "stream_pair": "io.adopt",
    "wait_for_process": "io.process",
    "write_file": "io.files",
}


if not TYPE_CHECKING:  # a type checker would take it for leave to ask for anything

    def __getattr__(name: str) -> object:
        if name not in LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        item = getattr(importlib.import_module(f"{__name__}.{LATER[name]}"), name)
        globals()[name] = item
        return item

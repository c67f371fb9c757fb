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
    OperationCancelled,
    PoolClosed,
    UsageError,
)
from .io.output import inherit_output
from .runtime import on_main_start, options, run, shutdown, stats
from .scheduler.calls import current_coroutine, get_coroutines, sleep, spawn, suspend
from .scheduler.coroutine import Coroutine
from .scheduler.moment import Moment, Priority
from .scope.scope import Scope, current_scope, scope
from .scope.shield import shield
from .scope.timeout import clock, deadline, move_on, timeout

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
    from .io.handle import Handle
    from .io.listen import listen, listen_unix, serve
    from .io.listener import Listener
    from .io.offload import offload
    from .io.pipe import PipeStream
    from .io.process import Process, wait_for_process
    from .io.run_process import run_process
    from .io.signals import signal
    from .io.socket_stream import SocketStream
    from .io.start_tls import start_tls
    from .io.stream import Stream
    from .io.terminal import Terminal, open_terminal
    from .io.thread_pool import ThreadPool
    from .io.tls import TlsStream
    from .io.trigger import Trigger
    from .io.udp import Datagram, UdpSocket, bind_udp, connect_udp
    from .scheduler.report import report
    from .scope.iterate import iterate
    from .scope.local import local
    from .scope.map import map
    from .scope.task import Task
    from .scope.task_group import TaskGroup
    from .stdlib.patching import patch, patched, unpatch
    from .sync.awaiting import (
        await_,
        await_all,
        await_all_or_fail,
        await_any,
        await_any_of,
        await_any_of_or_fail,
        await_any_or_fail,
        await_first_success,
        race,
    )
    from .sync.barrier import Barrier
    from .sync.breaker import CircuitBreaker
    from .sync.channel import Channel
    from .sync.condition import Condition
    from .sync.event import Event
    from .sync.future import Future
    from .sync.loan import Loan
    from .sync.lock import Lock
    from .sync.pool import Pool
    from .sync.queue import Queue
    from .sync.queue_errors import ShutDown
    from .sync.queues import LifoQueue, PriorityQueue
    from .sync.rlock import RLock
    from .sync.select import select
    from .sync.semaphore import BoundedSemaphore, Semaphore
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
    "Datagram",
    "DeadlockError",
    "Device",
    "Event",
    "File",
    "FileSystemWatcher",
    "Future",
    "Handle",
    "HandleClosed",
    "IncompleteRead",
    "LifoQueue",
    "LimitExceeded",
    "Listener",
    "Loan",
    "Lock",
    "Moment",
    "OperationCancelled",
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
    "Task",
    "TaskGroup",
    "Terminal",
    "ThreadChannel",
    "ThreadPool",
    "TlsStream",
    "Trigger",
    "UdpSocket",
    "UsageError",
    "adopt",
    "await_",
    "await_all",
    "await_all_or_fail",
    "await_any",
    "await_any_of",
    "await_any_of_or_fail",
    "await_any_or_fail",
    "await_first_success",
    "bind_udp",
    "clock",
    "connect",
    "connect_udp",
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
    "local",
    "map",
    "move_on",
    "offload",
    "on_main_start",
    "open_file",
    "open_terminal",
    "options",
    "patch",
    "patched",
    "pipe",
    "race",
    "read_file",
    "report",
    "run",
    "run_process",
    "scope",
    "select",
    "serve",
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
    "BoundedSemaphore": "sync.semaphore",
    "Change": "events.change",
    "Channel": "sync.channel",
    "CircuitBreaker": "sync.breaker",
    "Condition": "sync.condition",
    "Datagram": "io.udp",
    "Device": "io.device",
    "Event": "sync.event",
    "File": "io.file",
    "FileSystemWatcher": "io.filesystem",
    "Future": "sync.future",
    "Handle": "io.handle",
    "LifoQueue": "sync.queues",
    "Listener": "io.listener",
    "Loan": "sync.loan",
    "Lock": "sync.lock",
    "PipeStream": "io.pipe",
    "Pool": "sync.pool",
    "PriorityQueue": "sync.queues",
    "Process": "io.process",
    "Queue": "sync.queue",
    "RLock": "sync.rlock",
    "Semaphore": "sync.semaphore",
    "ShutDown": "sync.queue_errors",
    "SimpleQueue": "sync.simplequeue",
    "SocketStream": "io.socket_stream",
    "Stream": "io.stream",
    "Task": "scope.task",
    "TaskGroup": "scope.task_group",
    "Terminal": "io.terminal",
    "ThreadChannel": "sync.threadchannel",
    "ThreadPool": "io.thread_pool",
    "TlsStream": "io.tls",
    "Trigger": "io.trigger",
    "UdpSocket": "io.udp",
    "adopt": "io.adopt",
    "await_": "sync.awaiting",
    "await_all": "sync.awaiting",
    "await_all_or_fail": "sync.awaiting",
    "await_any": "sync.awaiting",
    "await_any_of": "sync.awaiting",
    "await_any_of_or_fail": "sync.awaiting",
    "await_any_or_fail": "sync.awaiting",
    "await_first_success": "sync.awaiting",
    "bind_udp": "io.udp",
    "connect": "io.connect",
    "connect_udp": "io.udp",
    "connect_unix": "io.connect",
    "getaddrinfo": "io.dns",
    "getnameinfo": "io.dns",
    "iterate": "scope.iterate",
    "listen": "io.listen",
    "listen_unix": "io.listen",
    "local": "scope.local",
    "map": "scope.map",
    "offload": "io.offload",
    "open_file": "io.files",
    "open_terminal": "io.terminal",
    "patch": "stdlib.patching",
    "patched": "stdlib.patching",
    "pipe": "io.adopt",
    "race": "sync.awaiting",
    "read_file": "io.files",
    "report": "scheduler.report",
    "run_process": "io.run_process",
    "select": "sync.select",
    "serve": "io.listen",
    "signal": "io.signals",
    "start_tls": "io.start_tls",
    "stream_pair": "io.adopt",
    "unpatch": "stdlib.patching",
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

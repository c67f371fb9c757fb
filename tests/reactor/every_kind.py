"""One of each kind of event, and how to make it happen, for test_every_event.py.

A new kind is a function here: a context that yields a `Thing`. What it needs of the system
it opens and closes itself; on the virtual reactor the same is said with `happen`.
"""

import collections
import contextlib
import functools
import os
import pathlib
import signal
import socket
import tempfile
import threading

from trueasync.events.change import Change
from trueasync.reactor import lookup as lookup_module
from trueasync.reactor import process as process_module
from trueasync.reactor.workers import Crew
from trueasync.testing import VirtualReactor


class Thing:
    """`make()` gives a new event for it, `happen()` lets it happen, as often as one likes."""

    def __init__(self, make, happen, info):
        self.make = make
        self.happen = happen
        self.info = info  # what such an event says of itself


def outside(reactor, act, *script):
    """A function that does `act()`, or lets the script happen where there is no system."""
    if isinstance(reactor, VirtualReactor):
        return lambda: reactor.happen(*script)
    return act


@contextlib.contextmanager
def timer(reactor):
    yield Thing(lambda: reactor.timer(0.005), lambda: None, "a timer of 0.005 s")


@contextlib.contextmanager
def readable(reactor):
    one, other = socket.socketpair()
    with one, other:
        fd = one.fileno()
        descriptor = reactor.descriptor(fd)
        happen = outside(reactor, lambda: other.send(b"x"), "readable", fd)
        yield Thing(descriptor.readable, happen, "readable")
        descriptor.close(None)


@contextlib.contextmanager
def writable(reactor):
    one, other = socket.socketpair()
    with one, other:
        one.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                one.send(bytes(65536))
        other.setblocking(False)
        fd = one.fileno()
        descriptor = reactor.descriptor(fd)

        def drain():
            with contextlib.suppress(BlockingIOError):
                while other.recv(1 << 20):
                    pass

        happen = outside(reactor, drain, "writable", fd)
        yield Thing(descriptor.writable, happen, "writable")
        descriptor.close(None)


@contextlib.contextmanager
def thread(reactor):
    gate, crew = threading.Event(), Crew(1)  # of one, so that they end in order
    try:
        make = functools.partial(reactor.thread, gate.wait, (30,), None, crew)
        yield Thing(make, gate.set, "a thread to call")
    finally:
        gate.set()


@contextlib.contextmanager
def lookup(reactor):
    # A thread is in the resolver until the test lets it answer.
    gate = threading.Event()
    resolver, crew = socket.getaddrinfo, lookup_module.crew

    def resolve(*arguments):
        gate.wait(30)
        return resolver(*arguments)

    socket.getaddrinfo, lookup_module.crew = resolve, Crew(1)
    try:
        happen = outside(reactor, gate.set, "lookup", ("127.0.0.1", 80))
        yield Thing(lambda: reactor.lookup("127.0.0.1", 80), happen, "127.0.0.1")
    finally:
        gate.set()
        socket.getaddrinfo, lookup_module.crew = resolver, crew


@contextlib.contextmanager
def trigger(reactor):
    made = collections.deque(maxlen=10)  # more are never waited for at a time

    def make():
        made.append(reactor.trigger())
        return made[-1]

    def happen():
        thread = threading.Thread(target=lambda: [each.fire() for each in made])
        thread.start()
        thread.join()

    yield Thing(make, happen, "another thread fires")


@contextlib.contextmanager
def child_change(reactor):
    with process(reactor) as thing:
        pid = int(thing.info)
        what = os.P_PID, pid, os.WEXITED
        happen = outside(reactor, thing.happen, "child change", what)
        yield Thing(lambda: reactor.child_change(*what), happen, "child")


@contextlib.contextmanager
def process(reactor):
    pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], os.environ)
    try:
        happen = outside(reactor, lambda: os.kill(pid, signal.SIGKILL), "process", pid)
        yield Thing(lambda: reactor.process(pid, reap=False), happen, str(pid))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for thread in threading.enumerate():
            if str(pid) in thread.name:
                thread.join()


@contextlib.contextmanager
def process_without_pidfd(reactor):
    opener, process_module.pidfd_open = process_module.pidfd_open, None
    try:
        with process(reactor) as thing:
            yield thing
    finally:
        process_module.pidfd_open = opener


@contextlib.contextmanager
def any_signal(reactor):
    number = signal.SIGURG  # which does nothing when nobody waits for it
    happen = outside(reactor, lambda: os.kill(os.getpid(), number), "signal", number)
    yield Thing(lambda: reactor.signal(number), happen, "signal")


@contextlib.contextmanager
def filesystem(reactor):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "file")
        change = [Change("created", "file")]
        happen = outside(reactor, lambda: file.write_text("x"), "filesystem", folder, change)
        yield Thing(lambda: reactor.filesystem(folder), happen, folder)


KINDS = [
    timer,
    readable,
    writable,
    trigger,
    thread,
    lookup,
    process,
    process_without_pidfd,
    child_change,
    any_signal,
    filesystem,
]

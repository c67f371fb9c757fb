"""One of each kind of event, and how to make it happen, for test_every_event.py.

A new kind is a function here: a context that yields a `Thing`. What it needs of the system
it opens and closes itself; on the virtual reactor the same is said with `happen`.
"""

import contextlib
import socket

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


KINDS = [timer, readable, writable]

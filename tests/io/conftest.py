"""`memory`: a kind of stream in plain Python, as anyone may write one.

`slow`    a reactor whose jobs end when the test says
"""

import itertools
import os
import resource

import pytest

from trueasync import Channel, ChannelClosed
from trueasync.io.stream import Stream
from trueasync.runtime import run_on
from trueasync.testing import VirtualReactor
from trueasync.testing.virtual import VirtualWork


class Memory(Stream):
    """What is put into `arriving` piece by piece can be read; what is written is in `sent`."""

    def __init__(self, *pieces, end=True):
        self.arriving = Channel(1000)
        self.leftover = b""
        self.sent = []
        self.gate = None  # a channel a writer needs one item of for each write
        self.releases = 0
        for piece in pieces:
            self.arriving.send(piece)
        if end:
            self.arriving.close()

    def info(self):
        return "memory"

    def receive(self, size):
        if not self.leftover:
            try:
                self.leftover = self.arriving.receive()
            except ChannelClosed:
                if self.closed:
                    raise self.refusal("read from") from None
                return b""
        piece, self.leftover = self.leftover[:size], self.leftover[size:]
        return piece

    def transmit(self, data):
        for byte in bytes(data):
            if self.gate is not None:
                self.gate.receive()
            self.sent.append(byte)
        return len(data)

    def release(self):
        self.releases += 1
        self.arriving.close()


@pytest.fixture
def memory():
    """The class Memory."""
    return Memory


@pytest.fixture
def few_descriptors():
    """Allow this process only so many more descriptors: `few_descriptors(3)`."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)

    def allow(count):
        free = (fd for fd in itertools.count() if not is_open(fd))
        for _ in range(count):
            next(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (next(free), before[1]))

    yield allow
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


# -- slow disks ---------------------------------------------------------------------------


class SlowWork(VirtualWork):
    """A job that a thread begins as soon as it starts, and that ends when the test says."""

    def arm(self):
        super(VirtualWork, self).arm()
        if self not in self.clock.begun:
            self.clock.begun.append(self)
            self.job.perform_here()

    def disarm(self):
        super(VirtualWork, self).disarm()

    def perform(self):
        self.job.ended()
        if self.starts:
            self.fire()


class SlowReactor(VirtualReactor):
    """Its jobs are slow, once they are told to be."""

    slow = False

    def work(self, job):
        if not self.slow:
            return super().work(job)
        work = SlowWork(self, job)
        work.clock = self
        return work

    def end_one(self):
        self.begun.pop(0).perform()


@pytest.fixture
def slow():
    """`slow(main)` runs it on a reactor, which it gets, whose jobs can be made slow."""

    def run_slow(main):
        reactor = SlowReactor()
        reactor.begun = []
        return run_on(reactor, main, (reactor,))

    return run_slow

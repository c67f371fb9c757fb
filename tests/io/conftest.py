"""`memory`: a kind of stream in plain Python, as anyone may write one."""

import itertools
import os
import resource

import pytest

from trueasync import Channel, ChannelClosed
from trueasync.io.stream import Stream


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

"""Exchange: what a child reads and writes through its pipes, until it has ended.

Whoever writes all before it reads, or reads one pipe to its end before the other, waits for
ever for a child that waits for him. Here whatever can go on goes on, and it is over when the
child has ended: a grandchild that holds a pipe open holds nobody up.
"""

from __future__ import annotations

import array
import fcntl
import os
import termios

from ..events.event import Event
from ..reactor.base import Reactor
from ..scheduler.calls import running_scheduler
from .pipe import PipeStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Exchange"]

READ_SIZE = 65536  # what a pipe holds


class Exchange:
    """The input and output of one child; may be interrupted and gone on with."""

    def __init__(
        self,
        end: Event,
        stdin: PipeStream | None = None,
        stdout: PipeStream | None = None,
        stderr: PipeStream | None = None,
        input: Any = None,
    ) -> None:
        self.scheduler = running_scheduler("Process")
        reactor = self.scheduler.reactor
        self.end = end
        self.stdin = Inlet(reactor, stdin, input) if stdin is not None else None
        self.stdout = Outlet(reactor, stdout) if stdout is not None else None
        self.stderr = Outlet(reactor, stderr) if stderr is not None else None

    def run(self, timeout: float | None = None) -> bool:
        """Go on until the child has ended; False if `timeout` seconds have passed first.

        Suspends the coroutine. Not for other threads.
        """
        timer = None if timeout is None else self.scheduler.reactor.timer(timeout)
        running = [self.end] if timer is None else [self.end, timer]
        for event in running:
            event.start()  # once for all waits: the time goes on, and the end stays watched
        try:
            over = self.go_on(timer)
        finally:
            for event in running:
                event.stop()
        if over:
            self.finish()
        return over

    def output(self) -> tuple[bytes | None, bytes | None]:
        """What has been read until now; None for what is no pipe. Never suspends."""
        stdout, stderr = self.stdout, self.stderr
        return stdout.taken() if stdout else None, stderr.taken() if stderr else None

    def go_on(self, timer: Event | None) -> bool:
        pipes = [pipe for pipe in (self.stdin, self.stdout, self.stderr) if pipe is not None]
        if self.stdin is not None and self.stdin.open:
            self.stdin.step()
        while not self.end.fired:
            events = {pipe.event(): pipe for pipe in pipes if pipe.open}
            winner = self.scheduler.wait(self.end, timer, list(events))
            if winner is timer:
                return False
            if winner is not self.end:
                events[winner].step()
        return True

    def finish(self) -> None:
        """It has ended: take what it has left in its pipes, and close them."""
        for outlet in (self.stdout, self.stderr):
            if outlet is not None and outlet.open:
                outlet.take_the_rest()
        self.close()

    def close(self) -> None:
        """Close our ends of the pipes; twice is once. Never suspends."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()


class Pipe:
    """Our end of a pipe to a child."""

    def __init__(self, reactor: Reactor, stream: PipeStream) -> None:
        self.stream = stream
        self.fd = stream.fileno()
        self.descriptor = None if stream.closed else reactor.descriptor(self.fd)

    @property
    def open(self) -> bool:
        """Whether there is still something to be done with it."""
        return not self.stream.closed

    def close(self) -> None:
        if self.open and self.descriptor is not None:
            self.descriptor.close(None)  # the stream closes only what it watches itself
        self.stream.close()


class Inlet(Pipe):
    """Where the child reads what we have to say."""

    def __init__(self, reactor: Reactor, stream: PipeStream, input: Any) -> None:
        super().__init__(reactor, stream)
        self.rest = memoryview(input or b"").cast("B")

    def event(self) -> Event:
        assert self.descriptor is not None
        return self.descriptor.writable()

    def step(self) -> None:
        """Write what fits; close when all is said, or when nobody listens any more."""
        try:
            if self.rest:
                self.rest = self.rest[os.write(self.fd, self.rest) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.rest = self.rest[:0]
        if not self.rest:
            self.close()


class Outlet(Pipe):
    """Where the child writes."""

    def __init__(self, reactor: Reactor, stream: PipeStream) -> None:
        super().__init__(reactor, stream)
        self.pieces: list[bytes] = []
        if self.open and stream.read_ahead:
            self.pieces.append(stream.read(stream.read_ahead))

    def event(self) -> Event:
        assert self.descriptor is not None
        return self.descriptor.readable()

    def step(self) -> None:
        """Read what is there; close at the end."""
        try:
            piece = os.read(self.fd, READ_SIZE)
        except BlockingIOError:
            return
        if piece:
            self.pieces.append(piece)
        else:
            self.close()

    def take_the_rest(self) -> None:
        """Read as much as is there now: a grandchild may go on writing for ever."""
        count = array.array("i", [0])
        fcntl.ioctl(self.fd, termios.FIONREAD, count)
        left = count[0]
        while left > 0:
            piece = os.read(self.fd, left)
            if not piece:
                break
            self.pieces.append(piece)
            left -= len(piece)

    def taken(self) -> bytes:
        return b"".join(self.pieces)

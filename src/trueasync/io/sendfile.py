"""sendfile: a part of a file into a stream; into a socket within the kernel, without copies."""

from __future__ import annotations

import os

from ..scheduler.calls import running_scheduler
from .jobs import send_job
from .socket_stream import SocketStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .file import File
    from .jobs import FileJob
    from .stream import Stream

__all__ = ["sendfile"]

LARGEST_JOB = 1 << 23  # one job sends so much at most: a cancelled one goes on to its end
LARGEST_COPY = 1 << 18


def sendfile(file: File, stream: Stream, offset: int, size: int | None) -> int:
    """Send `size` bytes from `offset`, fewer only where the file ends; how many those were.

    Suspends the coroutine. Not for other threads.
    """
    stream.begin_writing()
    if not isinstance(stream, SocketStream):
        try:
            return copy(file, stream, offset, size)
        finally:
            stream.end_writing()
    sending = Sending(file, stream)
    try:
        return sending.send(offset, size)
    finally:
        sending.leave()


def copy(file: File, stream: Stream, offset: int, size: int | None) -> int:
    """Into any kind of stream, such as TLS, by reading and writing."""
    sent = 0
    while size is None or sent < size:
        wanted = LARGEST_COPY if size is None else min(size - sent, LARGEST_COPY)
        data = file.read_at(wanted, offset + sent)
        if not data:
            break
        sent += stream.transmit(data)
    return sent


class Sending:
    """The turn to write to a socket, while threads write to it: it ends when the last has.

    They have a descriptor of their own: the number of the stream's may name another one as
    soon as it is closed.
    """

    def __init__(self, file: File, stream: SocketStream) -> None:
        self.file = file
        self.stream = stream
        self.under_way = False
        self.left = False
        try:
            self.fd = os.dup(stream.fileno())
            os.set_blocking(self.fd, False)  # a thread must not wait for the peer
        except BaseException:
            stream.end_writing()
            raise

    def send(self, offset: int, size: int | None) -> int:
        sent = 0
        while size is None or sent < size:
            wanted = LARGEST_JOB if size is None else min(size - sent, LARGEST_JOB)
            try:
                count = self.send_some(offset + sent, wanted)
            except BlockingIOError:
                self.await_room()
                continue
            if count == 0:
                break
            sent += count
        return sent

    def await_room(self) -> None:
        scheduler = running_scheduler("send")
        event = scheduler.reactor.writable(self.stream.fileno())
        scheduler.wait(event)
        if not self.stream.closed:
            event.outcome()

    def send_some(self, offset: int, size: int) -> int:
        if self.stream.closed:
            raise self.stream.refusal("send to")
        job = send_job(self.file.path, self.file.fileno(), self.fd, offset, size)
        job.owner = self
        self.under_way = True
        count: int = self.file.fly(job, False)
        return count

    def landed(self, job: FileJob) -> None:
        """No thread works on it any more. Never suspends."""
        self.file.landed(job)
        self.under_way = False
        if self.left:
            self.end()

    def leave(self) -> None:
        """Whoever sends goes; a thread may still be sending for him. Never suspends."""
        self.left = True
        if not self.under_way:
            self.end()

    def end(self) -> None:
        os.close(self.fd)
        self.stream.end_writing()

"""PinnedStream: a stream over a descriptor that threads of the pool work on.

Rules of this file:
1. A write whose coroutine was cancelled goes on in its thread, and keeps the turn until then.
2. A descriptor is closed when the last job on it has landed: its number must not come to name
   another file meanwhile.
"""

import os
import warnings

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.io.handle import Handle
from cython.cimports.trueasync.io.jobs import FileJob
from cython.cimports.trueasync.io.stream import Stream
from cython.cimports.trueasync.scheduler.current import coroutine_here, require_scheduler
from cython.cimports.trueasync.scheduler.scheduler import Scheduler

from .jobs import close_job


@cython.cclass
class PinnedStream(Stream):
    """Has jobs done on its descriptor, and is closed behind them. Not for other threads."""

    def __cinit__(self):
        self.fd = -1
        self.flights = {}

    def __del__(self):
        if self.fd >= 0:
            warnings.warn(f"{self!r} was never closed", ResourceWarning, 2, self)
            fd, self.fd = self.fd, -1
            os.close(fd)

    def fileno(self) -> int:
        """Its descriptor; -1 when it is closed. Never suspends."""
        return self.fd

    @cython.ccall
    def fly(self, job: FileJob, keeps_turn: cython.bint):
        """Have a thread do `job`, and wait for it. Suspends the coroutine."""
        if self.closed:
            raise self.refusal(job.verb)
        scheduler: Scheduler = require_scheduler(job.verb)
        event: Event = scheduler.reactor.work(job)
        if job.owner is None:
            job.owner = self
        self.flights[job] = event
        if keeps_turn:
            self.writing_job = job
        try:
            event.start()
            scheduler.wait(event)
        except BaseException:
            if event.starts == 0:
                job.owner.landed(job)  # it has not even been handed over
            job.forget()
            raise
        finally:
            event.stop()
        return job.outcome()

    @cython.ccall
    def written(self, job: FileJob):
        """A job that writes has ended, however it did; for a kind to note. Never suspends."""

    @cython.ccall
    def landed(self, job: FileJob):
        """No thread works on `job` any more. Never suspends."""
        self.flights.pop(job, None)
        if job is self.writing_job:
            self.writing_job = None
            self.written(job)
            if self.turn_left:
                self.turn_left = False
                Handle.end_writing(self)
        if self.close_when_landed and not self.flights:
            fd, self.fd = self.fd, -1
            os.close(fd)

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def end_writing(self) -> cython.int:
        if self.writing_job is not None:
            self.turn_left = True  # rule 1
            return 0
        return Handle.end_writing(self)

    @cython.ccall
    def release(self):
        try:
            while self.flights:
                require_scheduler("close").wait(next(iter(self.flights.values())))
        finally:
            if self.flights:
                self.close_when_landed = True
            else:
                self.close_now()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close_now(self) -> cython.int:
        """What was written may have to go to another machine now, and fail there."""
        fd: cython.int = self.fd
        self.fd = -1
        if not self.writable_too or coroutine_here() is None:
            os.close(fd)
            return 0
        job: FileJob = close_job(self.path, fd)
        scheduler: Scheduler = require_scheduler("close")
        event: Event = scheduler.reactor.work(job)
        event.start()  # and never stopped: it is done, whatever becomes of the wait
        scheduler.wait(event)
        job.outcome()
        return 0

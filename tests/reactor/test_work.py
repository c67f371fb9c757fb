"""Work: a job for the pool belongs to libuv while it runs, whoever waits for it or not."""

import contextlib
import os
import sys

import pytest

import trueasync
from trueasync.io.jobs import OpenJob, ReadJob, WriteJob, close_job
from trueasync.reactor.base import Job
from trueasync.reactor.reactor import UvReactor
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor


@pytest.fixture(params=[UvReactor, VirtualReactor], ids=["libuv", "virtual"])
def reactor_class(request):
    return request.param


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"some text")
    return path


class FullPipe:
    """A pipe that takes no more: a thread that writes to it waits until `drain`."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.size = os.write(self.writer, bytes(1 << 20))
        os.set_blocking(self.writer, True)
        os.set_blocking(self.reader, False)

    def job(self, piece=b"x"):
        return WriteJob("the pipe", self.writer, [piece], -1)

    def drain(self):
        """What is in it by now, which may be nothing."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self.reader, self.size)
        return b""

    def close(self):
        os.close(self.reader)
        os.close(self.writer)


@pytest.fixture
def pipe():
    made = FullPipe()
    yield made
    made.close()


def done(reactor, job):
    event = reactor.work(job)
    event.start()
    while not event.fired:
        reactor.poll(True)
    return job.outcome()


def test_a_job_is_done_and_its_event_fires(reactor, path):
    fd = os.open(path, os.O_RDONLY)

    text = done(reactor, ReadJob(path, fd, 4, 5))
    done(reactor, close_job(path, fd))

    assert text == b"text"
    assert reactor.active == 0


def test_it_is_not_done_before_it_is_started(reactor, tmp_path):
    job = OpenJob(tmp_path / "new", os.O_WRONLY | os.O_CREAT, 0o600)
    reactor.work(job)

    reactor.poll(False)

    assert not (tmp_path / "new").exists()


def test_a_job_that_says_not_what_it_performs_is_refused(reactor):
    with pytest.raises((TypeError, NotImplementedError), match="what it performs"):
        done(reactor, Job())


def test_many_jobs_are_done_by_a_few_threads(reactor, path):
    fd = os.open(path, os.O_RDONLY)
    jobs = [ReadJob(path, fd, 1, number % 9) for number in range(500)]
    events = [reactor.work(job) for job in jobs]
    for event in events:
        event.start()

    while not all(event.fired for event in events):
        reactor.poll(True)
    os.close(fd)

    assert b"".join(job.outcome() for job in jobs[:9]) == b"some text"
    assert reactor.active == 0


def test_it_says_what_it_waits_for(reactor, path):
    assert reactor.work(OpenJob("a/file", os.O_RDONLY, 0)).info() == "a thread to open 'a/file'"


# -- in flight: only libuv's -------------------------------------------------------------


@pytest.fixture
def real(request):
    reactor = UvReactor()
    yield reactor
    reactor.close()
    del request.node.funcargs["real"]


def poll_a_little(reactor):
    for _ in range(3):
        reactor.poll(False)


class Ends(WriteJob):
    """Notes that it has ended."""

    def ended(self):
        super().ended()
        self.notes.append("ended")


def start_in(pipe, reactor, notes, piece=b"x"):
    job = Ends("the pipe", pipe.writer, [piece], -1)
    job.notes = notes
    event = reactor.work(job)
    event.start()
    return event


def test_a_job_that_runs_is_done_to_its_end_though_nobody_waits_or_holds_it(real, pipe):
    notes = []
    event = start_in(pipe, real, notes, bytes(2000))
    wait_until_it_runs(pipe)

    event.stop()
    del event
    poll_a_little(real)
    early = list(notes)
    got = len(pipe.drain())
    while not notes:
        real.poll(False)

    assert (early, notes) == ([], ["ended"])
    assert got + len(pipe.drain()) == pipe.size + 2000


def wait_until_it_runs(pipe):
    """A thread waits in write(), as the kernel says."""
    while True:
        for task in os.listdir("/proc/self/task"):
            try:
                with open(f"/proc/self/task/{task}/wchan") as where:
                    if "pipe_write" in where.read():
                        return
            except OSError:
                pass
        os.sched_yield()


def test_what_it_works_on_is_locked_until_it_ends(real, pipe):
    piece = bytearray(b"some bytes")
    notes = []
    event = start_in(pipe, real, notes, piece)
    event.stop()
    with pytest.raises(BufferError):
        piece.clear()

    pipe.drain()
    while not notes:
        real.poll(False)

    piece.clear()


def test_one_whose_wait_was_stopped_does_not_fire_and_does_at_the_next_start(real, pipe):
    notes = []
    event = start_in(pipe, real, notes)
    wait_until_it_runs(pipe)
    event.stop()
    pipe.drain()
    while not notes:
        real.poll(False)
    stopped = event.fired

    event.start()

    assert (stopped, event.fired, real.active) == (False, True, 0)


def test_a_job_that_has_not_begun_is_dropped_when_nobody_waits_for_it(real, pipe, tmp_path):
    notes = []
    busy = [start_in(pipe, real, notes) for _ in range(64)]  # more than there are threads
    path = tmp_path / "never"
    event = real.work(OpenJob(path, os.O_WRONLY | os.O_CREAT, 0o600))
    event.start()

    event.stop()
    while len(notes) < 64:
        pipe.drain()
        poll_a_little(real)

    assert all(job.fired for job in busy)
    assert not path.exists()
    assert not event.fired


def test_one_that_was_dropped_is_done_if_it_is_started_again_before_it_was_heard(real, pipe):
    notes = []
    busy = [start_in(pipe, real, notes) for _ in range(64)]
    again = busy[-1]

    again.stop()
    again.start()
    while not all(event.fired for event in busy):
        pipe.drain()
        poll_a_little(real)

    assert notes == ["ended"] * 64


def test_closing_the_reactor_waits_for_what_is_under_way(pipe):
    reactor, notes = UvReactor(), []
    event = start_in(pipe, reactor, notes)
    wait_until_it_runs(pipe)
    event.stop()
    pipe.drain()

    reactor.close()

    assert notes == ["ended"]


def test_a_closed_reactor_takes_no_job(path):
    reactor = UvReactor()
    event = reactor.work(close_job(path, -1))
    reactor.close()

    with pytest.raises(RuntimeError, match="closed"):
        event.start()


def test_a_file_that_nobody_took_is_closed_again(reactor, path):
    before = len(os.listdir("/proc/self/fd"))

    done(reactor, OpenJob(path, os.O_RDONLY, 0))

    assert len(os.listdir("/proc/self/fd")) == before


def test_ten_thousand_jobs_leave_no_reference_behind(reactor, path):
    fd = os.open(path, os.O_RDONLY)
    shared = str(path)
    for _ in range(100):
        done(reactor, ReadJob(shared, fd, 1, 0))
    before = sys.getrefcount(shared)

    for _ in range(10_000):
        done(reactor, ReadJob(shared, fd, 1, 0))
    os.close(fd)

    assert sys.getrefcount(shared) == before


# -- as coroutines see it ----------------------------------------------------------------


def wait(job):
    scheduler = running_scheduler("wait")
    scheduler.wait(scheduler.reactor.work(job))
    return job.outcome()


def test_a_coroutine_waits_for_a_job_and_gets_its_error(run):
    job = OpenJob("/there/is/no/such/file", os.O_RDONLY, 0)

    with pytest.raises(FileNotFoundError, match="/there/is/no/such/file"):
        run(wait, job)


def test_a_cancelled_wait_ends_at_once_and_leaves_the_thread_to_its_work(pipe):
    def main():
        waiting = trueasync.spawn(wait, pipe.job())
        trueasync.suspend()
        wait_until_it_runs(pipe)
        waiting.cancel()
        with pytest.raises(trueasync.Cancelled):
            waiting.result()
        active = trueasync.stats()["active_events"]
        pipe.drain()  # or the run would wait for the thread, for ever
        return active

    assert trueasync.run(main) == 0

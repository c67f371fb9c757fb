"""Signal, where others have a part in it: another library, another thread, a child."""

import os
import signal
import socket
import threading

import pytest

import trueasync
from trueasync import UsageError
from trueasync.reactor.reactor import UvReactor
from trueasync.scheduler.calls import running_scheduler

USUAL = signal.SIGUSR1


@pytest.fixture
def handled():
    """What a handler of the program has heard of USUAL."""
    heard = []
    before = signal.signal(USUAL, lambda number, frame: heard.append(number))
    yield heard
    signal.signal(USUAL, before)


def started(reactor, number=USUAL):
    event = reactor.signal(number)
    event.start()
    return event


def send(number=USUAL):
    os.kill(os.getpid(), number)


# -- the wake-up descriptor of others ------------------------------------------------------


@pytest.fixture
def others_descriptor():
    """Another library, such as asyncio, that has the wake-up descriptor."""
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        writer.setblocking(False)
        before = signal.set_wakeup_fd(writer.fileno())
        yield reader
        signal.set_wakeup_fd(before)


def test_whoever_had_the_wakeup_descriptor_hears_the_signals_too(others_descriptor, handled):
    reactor = UvReactor()
    event = started(reactor)
    send()
    reactor.poll(True)
    reactor.close()

    assert event.fired
    assert others_descriptor.recv(10) == bytes([USUAL])


def test_nothing_is_written_to_a_descriptor_that_has_come_to_be_another(handled):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer)
    reactor = UvReactor()
    event = started(reactor)
    victim, victims_end = os.pipe()
    os.dup2(victims_end, writer)
    os.set_blocking(victim, False)

    send()
    reactor.poll(True)

    with pytest.raises(BlockingIOError):
        os.read(victim, 10)
    assert event.fired
    reactor.close()
    assert signal.set_wakeup_fd(before) == -1
    for descriptor in (reader, writer, victim, victims_end):
        os.close(descriptor)


def test_a_wakeup_descriptor_that_others_took_meanwhile_is_shared_with_them(reactor, handled):
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        signal.set_wakeup_fd(writer.fileno())

        event = started(reactor)
        send()
        reactor.poll(True)

        assert event.fired
        assert reader.recv(10) == bytes([USUAL])
        reactor.close()
        assert signal.set_wakeup_fd(-1) == writer.fileno()


# -- threads and children ------------------------------------------------------------------


def test_another_thread_than_the_main_one_is_told_to_wait_there():
    refused = []

    def main():
        with pytest.raises(UsageError, match="SIGUSR1 can be waited for in the main thread"):
            running_scheduler("main").reactor.signal(USUAL)
        refused.append(True)

    thread = threading.Thread(target=trueasync.run, args=[main])
    thread.start()
    thread.join()

    assert refused == [True]


def test_a_signal_sent_while_another_thread_runs_too_is_heard_in_the_main_thread(reactor):
    event, ready, over = started(reactor), threading.Event(), threading.Event()

    def elsewhere():
        def body():
            ready.set()
            while not over.is_set():
                trueasync.sleep(0.001)

        trueasync.run(body)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    ready.wait()
    signal.pthread_kill(thread.ident, USUAL)  # whoever of us receives it
    while not event.fired:
        reactor.poll(True)
    over.set()
    thread.join()

    assert event.outcome() == USUAL


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_a_child_of_fork_receives_does_not_reach_the_parent(reactor):
    event = started(reactor)

    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGTERM, lambda number, frame: None)
            signal.raise_signal(signal.SIGTERM)
            # It waits for nothing: as nobody has waited for it, this one ends it.
            signal.raise_signal(USUAL)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    for _ in range(3):
        reactor.poll(False)

    assert os.WTERMSIG(status) == USUAL
    assert not event.fired
    send()
    reactor.poll(True)
    assert event.fired

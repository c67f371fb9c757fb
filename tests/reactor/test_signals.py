"""Signals end the wait of the loop, and whoever used the wake-up descriptor gets it back."""

import contextlib
import os
import signal
import socket
import threading
import time

import pytest

from trueasync.errors import HandlerError
from trueasync.reactor.reactor import UvReactor


@contextlib.contextmanager
def handling(number, handler):
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def send_soon(number):
    """Send a signal to this process, from a thread, when the caller waits (or just before)."""
    thread = threading.Timer(0.05, os.kill, (os.getpid(), number))
    thread.start()
    return thread


def far_timer(reactor, delay=1000.0):
    timer = reactor.timer(delay)
    timer.start()
    return timer


def wakeup_descriptor():
    current = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(current)
    return current


@pytest.mark.parametrize("delay", [1000.0, 1e9, 1e300, float("inf")])
def test_a_handler_runs_promptly_during_an_idle_wait(reactor, delay):
    heard = []
    timer = far_timer(reactor, delay)
    with handling(signal.SIGUSR1, lambda number, frame: heard.append(time.monotonic())):
        sender = send_soon(signal.SIGUSR1)
        while not heard:
            reactor.poll(True)
        after = time.monotonic()
        sender.join()
    timer.stop()

    assert len(heard) == 1
    assert after - heard[0] < 1.0
    assert not timer.fired


def test_a_handler_runs_though_no_timer_is_armed(reactor):
    heard = []
    with handling(signal.SIGUSR1, lambda number, frame: heard.append(number)):
        sender = send_soon(signal.SIGUSR1)
        while not heard:
            reactor.poll(True)
        sender.join()

    assert heard == [signal.SIGUSR1]


def test_what_a_handler_raises_comes_out_of_poll(reactor):
    def refuse(number, frame):
        raise LookupError("from the handler")

    def wait_for_ever():
        while True:
            reactor.poll(True)

    timer = far_timer(reactor)
    sender = send_soon(signal.SIGUSR1)
    with handling(signal.SIGUSR1, refuse), pytest.raises(HandlerError) as raised:
        wait_for_ever()
    sender.join()
    timer.stop()
    assert str(raised.value.error) == "from the handler"


def test_more_signals_than_the_pipe_can_hold_lose_no_wait(reactor):
    heard = []
    timer = reactor.timer(0.01)
    timer.start()
    with handling(signal.SIGUSR1, lambda number, frame: heard.append(number)):
        for _ in range(70_000):
            signal.raise_signal(signal.SIGUSR1)
        while not timer.fired:
            reactor.poll(True)

    assert len(heard) == 70_000
    assert timer.fired


def test_the_wait_is_idle_again_after_a_signal(reactor):
    polls = 0
    timer = reactor.timer(0.2)
    timer.start()
    with handling(signal.SIGUSR1, lambda number, frame: None):
        signal.raise_signal(signal.SIGUSR1)
        while not timer.fired:
            reactor.poll(True)
            polls += 1

    assert polls <= 3


def test_whoever_had_the_wakeup_descriptor_gets_it_back():
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        before = signal.set_wakeup_fd(writer.fileno())

        reactor = UvReactor()
        meanwhile = wakeup_descriptor()
        reactor.close()

        assert meanwhile != writer.fileno()
        assert signal.set_wakeup_fd(before) == writer.fileno()


def test_whoever_took_the_wakeup_descriptor_later_keeps_it():
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        reactor = UvReactor()

        before = signal.set_wakeup_fd(writer.fileno())
        reactor.close()

        assert before != -1
        assert signal.set_wakeup_fd(-1) == writer.fileno()


def test_two_reactors_closed_in_the_order_they_were_made_leave_none():
    one, other = UvReactor(), UvReactor()

    one.close()
    other.close()

    assert wakeup_descriptor() == -1


def test_a_descriptor_whose_owner_closed_it_is_not_given_back():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)

    reactor = UvReactor()
    os.close(reader)
    os.close(writer)
    reactor.close()

    assert wakeup_descriptor() == -1


def test_a_reactor_in_another_thread_leaves_the_wakeup_descriptor_alone():
    before = wakeup_descriptor()
    seen = []

    def use():
        reactor = UvReactor()
        timer = reactor.timer(0.001)
        timer.start()
        while not timer.fired:
            reactor.poll(True)
        reactor.close()
        seen.append(timer.fired)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()

    assert seen == [True]
    assert wakeup_descriptor() == before


def test_closing_in_another_thread_leaves_no_dead_wakeup_descriptor():
    def close_elsewhere():
        with contextlib.suppress(RuntimeError):  # it may refuse
            reactor.close()

    reactor = UvReactor()
    thread = threading.Thread(target=close_elsewhere)
    thread.start()
    thread.join()
    left = wakeup_descriptor()

    if left != -1:
        os.fstat(left)  # a signal would be written to it: it must still be open
    reactor.close()

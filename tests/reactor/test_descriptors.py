"""Descriptors: those closed by someone else wake their waiters, and never stop the process."""

import errno
import os
import shutil
import socket
import subprocess
import sys
import threading

import pytest

PING_PONG = """
import os, socket, trueasync
from trueasync.scheduler.calls import running_scheduler

def wait(fd):
    scheduler = running_scheduler("test")
    scheduler.wait(scheduler.reactor.readable(fd))

def answer(connection):
    while True:
        wait(connection.fileno())
        if not (message := connection.recv(100)):
            return
        connection.send(message)

def main():
    one, other = socket.socketpair()
    trueasync.spawn(answer, other)
    for turn in range(50):
        if turn == 10:
            os.write(2, b"steady from here")
        one.send(b"ping")
        wait(one.fileno())
        assert one.recv(100) == b"ping"
    os.write(2, b"steady to here")
    one.close()

trueasync.run(main)
"""


def started(event):
    event.start()
    return event


def closed_under_us(reactor, *events):
    while not all(event.fired for event in events):
        reactor.poll(True)
    for event in events:
        with pytest.raises(OSError, match="closed by someone else") as failure:
            event.outcome()
        assert failure.value.errno == errno.EBADF


def test_one_closed_while_it_is_waited_for_wakes_its_waiters(reactor):
    one, other = socket.socketpair()
    waiting = [started(reactor.readable(one.fileno())) for _ in range(2)]
    reactor.poll(False)

    one.close()

    closed_under_us(reactor, *waiting)
    other.close()


def test_one_closed_before_it_could_be_armed_does_not_abort_the_process(reactor):
    one, other = socket.socketpair()
    waiting = started(reactor.readable(one.fileno()))

    one.close()  # before any poll: libuv would abort when it arms it

    closed_under_us(reactor, waiting)
    other.close()


def test_one_closed_by_another_thread_while_the_loop_waits(reactor):
    one, other = socket.socketpair()
    waiting = started(reactor.readable(one.fileno()))
    thread = threading.Timer(0.05, one.close)
    thread.start()

    closed_under_us(reactor, waiting)
    thread.join()
    other.close()


def test_a_number_that_names_another_file_now_is_another_descriptor(reactor):
    one, other = socket.socketpair()
    number = one.fileno()
    waiting = started(reactor.readable(number))
    reactor.poll(False)
    reader, writer = os.pipe()
    os.dup2(reader, number)  # closes the socket, and the number names the pipe
    one.detach()

    new = started(reactor.readable(number))
    os.write(writer, b"x")
    while not new.fired:
        reactor.poll(True)

    closed_under_us(reactor, waiting)
    reactor.descriptor(number).close(None)
    for fd in (number, reader, writer):
        os.close(fd)
    other.close()


def test_a_descriptor_is_made_once(reactor):
    one, other = socket.socketpair()
    with one, other:
        assert reactor.descriptor(one.fileno()) is reactor.descriptor(one.fileno())


def test_a_thousand_descriptors_are_let_go_at_the_close(reactor):
    pairs = [socket.socketpair() for _ in range(200)]
    for one, other in pairs:
        started(reactor.readable(one.fileno()))
        started(reactor.writable(other.fileno()))
    reactor.poll(False)

    reactor.close()

    for one, other in pairs:
        one.close()
        other.close()


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_steady_conversation_arms_nothing(tmp_path):
    log = tmp_path / "calls"
    command = ["strace", "-f", "-o", log, sys.executable, "-c", PING_PONG]
    traced = subprocess.run(command, capture_output=True, text=True)
    if "steady to here" not in log.read_text():
        pytest.skip(f"strace may not trace here: {traced.stderr[-200:]}")

    _, _, rest = log.read_text().partition('"steady from here"')
    steady = rest.partition('"steady to here"')[0]

    assert steady.count("epoll_ctl") == 0
    assert steady.count("epoll_") >= 40

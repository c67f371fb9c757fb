"""Poll: who waits for a descriptor is woken in order, by readiness, reset, error and close."""

import errno
import os
import socket
import struct

import pytest

from trueasync.reactor.poll import Poll


def readable(reactor, fd):
    return started(reactor.readable(fd))


def started(event):
    event.start()
    return event


def poll_until(reactor, *events):
    while not all(event.fired for event in events):
        reactor.poll(True)


def poll_a_little(reactor):
    for _ in range(3):
        reactor.poll(False)


def fill(connection):
    """Send until it takes no more."""
    connection.setblocking(False)
    try:
        while True:
            connection.send(bytes(1 << 20))
    except BlockingIOError:
        pass


def reset(connection):
    """Close it so that the peer gets a reset instead of an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


@pytest.fixture
def connection():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        served, _ = server.accept()
    with client, served:
        yield client, served


def test_it_fires_when_there_is_something_to_read_and_not_before(reactor, pair):
    waiting = readable(reactor, pair[0].fileno())
    poll_a_little(reactor)
    early = waiting.fired

    pair[1].send(b"x")
    poll_until(reactor, waiting)

    assert not early
    assert reactor.active == 0


def test_a_descriptor_with_room_is_writable_at_once(reactor, pair):
    waiting = started(reactor.writable(pair[0].fileno()))

    poll_until(reactor, waiting)

    waiting.outcome()


def test_a_full_one_is_writable_when_the_peer_has_read(reactor, pair):
    fill(pair[0])
    waiting = started(reactor.writable(pair[0].fileno()))
    poll_a_little(reactor)
    early = waiting.fired

    while not waiting.fired:
        pair[1].recv(1 << 20)
        reactor.poll(False)

    assert not early


def test_each_readiness_wakes_one_in_the_order_of_coming(reactor, pair):
    waiting = [readable(reactor, pair[0].fileno()) for _ in range(4)]
    woken = []
    for _ in range(4):
        pair[1].send(b"x")
        while not any(event.fired and event not in woken for event in waiting):
            reactor.poll(True)
        woken += [event for event in waiting if event.fired and event not in woken]
        pair[0].recv(1)

    assert woken == waiting


def test_who_was_woken_in_vain_goes_before_the_others_the_next_time(reactor, pair):
    first, second = (readable(reactor, pair[0].fileno()) for _ in range(2))
    pair[1].send(b"x")
    poll_until(reactor, first)
    pair[0].recv(1)  # somebody else was faster
    first.stop()

    first.again()
    first.start()
    pair[1].send(b"y")
    poll_until(reactor, first)

    assert not second.fired
    second.stop()
    first.stop()


def test_readers_and_writers_wait_for_the_same_descriptor(reactor, pair):
    reader = readable(reactor, pair[0].fileno())
    writer = started(reactor.writable(pair[0].fileno()))
    poll_until(reactor, writer)
    early = reader.fired

    pair[1].send(b"x")
    poll_until(reactor, reader)

    assert not early


def test_who_stops_waiting_leaves_the_line(reactor, pair):
    waiting = [readable(reactor, pair[0].fileno()) for _ in range(3)]
    waiting[0].stop()
    waiting[1].stop()

    pair[1].send(b"x")
    poll_until(reactor, waiting[2])

    assert [event.fired for event in waiting] == [False, False, True]
    assert reactor.active == 0


def test_readiness_that_nobody_waited_for_is_kept(reactor, pair):
    readable(reactor, pair[0].fileno()).stop()
    pair[1].send(b"x")
    for _ in range(5):
        reactor.poll(False)

    late = readable(reactor, pair[0].fileno())

    assert late.fired


def test_a_peers_end_wakes_readers_one_after_the_other(reactor, pair):
    waiting = [readable(reactor, pair[0].fileno()) for _ in range(3)]

    pair[1].close()
    poll_until(reactor, *waiting)

    assert pair[0].recv(1) == b""


def test_a_peers_reset_wakes_everyone_whatever_they_wait_for(reactor, connection):
    client, served = connection
    fill(client)
    waiting = [readable(reactor, client.fileno()) for _ in range(3)]
    waiting += [started(reactor.writable(client.fileno())) for _ in range(3)]
    poll_a_little(reactor)

    reset(served)
    poll_until(reactor, *waiting)

    with pytest.raises(ConnectionResetError):
        client.recv(1)


def test_closing_the_descriptor_wakes_everyone_with_the_reason(reactor, pair):
    descriptor = reactor.descriptor(pair[0].fileno())
    waiting = [started(descriptor.readable()), started(descriptor.writable())]

    descriptor.close(ValueError("enough"))

    for event in waiting:
        with pytest.raises(ValueError, match="enough"):
            event.outcome()
    with pytest.raises(OSError, match="was closed"):
        descriptor.readable().start()
    assert reactor.active == 0


def test_closing_twice_is_closing_once(reactor, pair):
    descriptor = reactor.descriptor(pair[0].fileno())
    descriptor.close(None)
    descriptor.close(None)

    assert descriptor.closed
    assert reactor.descriptor(pair[0].fileno()) is not descriptor


def test_a_number_that_is_no_descriptor_is_refused(reactor):
    with pytest.raises(OSError, match="cannot be waited for") as failure:
        reactor.readable(54321)

    assert failure.value.errno == errno.EBADF


def test_a_regular_file_is_refused(reactor, tmp_path):
    with open(tmp_path / "file", "w") as file, pytest.raises(PermissionError):
        reactor.readable(file.fileno())


def test_it_says_what_it_waits_for(reactor, pair):
    fd = pair[0].fileno()

    assert reactor.readable(fd).info() == f"descriptor {fd} to be readable"
    assert reactor.writable(fd).info() == f"descriptor {fd} to be writable"
    assert isinstance(reactor.readable(fd), Poll)


def test_a_hidden_one_is_no_reason_to_wait(reactor, pair):
    waiting = reactor.readable(pair[0].fileno())
    waiting.hide()
    waiting.start()

    assert reactor.active == 0
    pair[1].send(b"x")
    while not waiting.fired:
        reactor.poll(False)


def test_a_pipe_can_be_waited_for(reactor):
    reader, writer = os.pipe()
    waiting = readable(reactor, reader)
    os.write(writer, b"x")

    poll_until(reactor, waiting)

    reactor.descriptor(reader).close(None)
    os.close(reader)
    os.close(writer)


def test_ten_thousand_waiters_come_and_go(reactor, pair):
    waiting = [readable(reactor, pair[0].fileno()) for _ in range(10_000)]
    for event in waiting[::2] + waiting[1::2]:
        event.stop()

    assert reactor.active == 0

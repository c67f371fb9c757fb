"""sendfile: a part of a file into a socket, or any other stream, whoever else writes there."""

import os
import socket

import pytest
from tls_pairs import shake_hands

import trueasync
from trueasync import Cancelled, HandleClosed, adopt, stream_pair
from trueasync.io.files import open_file

SIZE = 3_000_000  # far more than a socket holds


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(os.urandom(SIZE))
    return path


def raised_by(coroutine):
    try:
        coroutine.result()
    except BaseException as error:
        return type(error)
    return None


def settle():
    for _ in range(20):
        trueasync.sleep(0.0005)


@pytest.fixture
def use(path):
    """`use(body)`: what body(file, one, other) returns, with a pair of streams."""

    def use(body):
        def main():
            one, other = stream_pair()
            with one, other, open_file(path, "rb") as file:
                return body(file, one, other)

        return trueasync.run(main)

    return use


def received(stream, size):
    return trueasync.spawn(stream.read_exactly, size)


def test_all_of_a_file_goes_into_a_socket_and_the_position_behind_it(use, path):
    def body(file, one, other):
        receiver = received(other, SIZE)
        sent = file.sendfile(one)
        return sent, receiver.result() == path.read_bytes(), file.tell(), file.read()

    assert use(body) == (SIZE, True, SIZE, b"")


def test_a_part_from_an_offset_leaves_the_position(use, path):
    def body(file, one, other):
        file.read(5)
        sent = file.sendfile(one, offset=1000, size=2000), file.sendfile(one, 10, 0)
        return sent, other.read_exactly(2000) == path.read_bytes()[1000:3000], file.tell()

    assert use(body) == ((2000, 0), True, 5)


def test_from_the_position_of_a_line(use, path):
    path.write_bytes(b"header\nbody")

    def body(file, one, other):
        file.read_line()
        return file.sendfile(one), other.read(), file.tell()

    assert use(body) == (4, b"body", 11)


def test_more_than_there_is_ends_with_the_file(use):
    def body(file, one, other):
        receiver = received(other, 100)
        return (
            file.sendfile(one, SIZE - 100, 5000),
            len(receiver.result()),
            file.sendfile(one, SIZE),
        )

    assert use(body) == (100, 100, 0)


def test_nobody_writes_in_between(use, path):
    def body(file, one, other):
        sender = trueasync.spawn(file.sendfile, one)
        settle()
        writer = trueasync.spawn(one.write, b"behind it")
        got = other.read_exactly(SIZE), other.read_exactly(9)
        return got == (path.read_bytes(), b"behind it"), sender.result(), writer.result()

    assert use(body) == (True, SIZE, 9)


def test_into_tls_it_is_encrypted(path):
    def main():
        client, server = shake_hands(ends=stream_pair())
        with client, server, open_file(path, "rb") as file:
            receiver = received(server, SIZE)
            return file.sendfile(client), receiver.result() == path.read_bytes()

    assert trueasync.run(main) == (SIZE, True)


def test_a_peer_that_has_gone(use):
    def body(file, one, other):
        other.close()
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            file.sendfile(one)

    use(body)


def test_who_is_cancelled_gives_the_turn_back_when_no_thread_sends_any_more(use, path):
    def body(file, one, other):
        sender = trueasync.spawn(file.sendfile, one)
        settle()
        sender.cancel()
        cancelled = raised_by(sender)
        writer = trueasync.spawn(one.write, b"behind it")
        pieces = [other.read()]
        while not pieces[-1].endswith(b"behind it"):
            pieces.append(other.read())
        got = b"".join(pieces)
        return cancelled, path.read_bytes().startswith(got[:-9]), got[-9:], writer.result()

    assert use(body) == (Cancelled, True, b"behind it", 9)


def test_closing_the_stream_ends_it(use):
    def body(file, one, other):
        sender = trueasync.spawn(file.sendfile, one)
        settle()
        one.close()
        return raised_by(sender), len(os.listdir("/proc/self/fd"))

    assert use(body)[0] is HandleClosed


def test_a_closed_file_or_stream_sends_nothing(use):
    def body(file, one, other):
        one.close()
        with pytest.raises(HandleClosed):
            file.sendfile(one)
        file.close()
        for offset in (None, 0):
            with pytest.raises(HandleClosed):
                file.sendfile(other, offset)

    use(body)


def test_over_tcp(path):
    def main():
        with socket.create_server(("127.0.0.1", 0)) as listener:
            one = adopt(socket.create_connection(listener.getsockname()))
            other = adopt(listener.accept()[0])
        with one, other, open_file(path, "rb") as file:
            receiver = received(other, SIZE)
            return file.sendfile(one), receiver.result() == path.read_bytes()

    assert trueasync.run(main) == (SIZE, True)

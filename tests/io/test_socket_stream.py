"""SocketStream: what two connected ones do, and what a peer of any kind can do to one."""

import errno
import os
import socket
import struct

import pytest

import trueasync
from trueasync import HandleClosed, IncompleteRead, spawn, suspend
from trueasync.io.adopt import adopt, stream_pair


@pytest.fixture
def peer():
    """A stream and, at its other end, a plain socket: `with peer() as (stream, other)`."""

    class Pair:
        def __enter__(self):
            with socket.create_server(("127.0.0.1", 0)) as server:
                self.other = socket.create_connection(server.getsockname())
                self.stream = adopt(server.accept()[0])
            return self.stream, self.other

        def __exit__(self, *error):
            self.stream.close()
            self.other.close()

    return Pair


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_what_one_writes_the_other_reads():
    def main():
        one, other = stream_pair()
        with one, other:
            written = one.write(b"hello"), one.write(b""), one.write(bytearray(b" you"))
            return written, other.read()

    assert trueasync.run(main) == ((5, 0, 4), b"hello you")


def test_a_read_waits_until_something_comes():
    def main():
        one, other = stream_pair()
        with one, other:
            reading = spawn(other.read)
            suspend()
            early = reading.done()
            one.write(b"late")
            return early, reading.result()

    assert trueasync.run(main) == (False, b"late")


def test_the_end_is_read_again_and_again():
    def main():
        one, other = stream_pair()
        with other:
            with one:
                one.write(b"last")
            return [other.read() for _ in range(4)], other.read_into(bytearray(5))

    assert trueasync.run(main) == ([b"last", b"", b"", b""], 0)


def test_the_end_wakes_who_waits():
    def main():
        one, other = stream_pair()
        with other:
            readers = [spawn(other.read), spawn(other.read_line), spawn(other.read_all)]
            suspend()
            one.close()
            return [reader.result() for reader in readers]

    assert trueasync.run(main) == [b"", b"", b""]


def test_one_direction_can_be_shut_down():
    def main():
        one, other = stream_pair()
        with one, other:
            one.write(b"question")
            one.shutdown()
            asked = other.read_all()
            other.write(b"answer")
            with pytest.raises(BrokenPipeError, match="cannot write to a pair: Broken pipe"):
                one.write(b"more")
            other.shutdown("both")
            return asked, one.read_all()

    assert trueasync.run(main) == (b"question", b"answer")


def test_only_known_directions_can_be_shut_down():
    def main():
        one, other = stream_pair()
        with one, other, pytest.raises(ValueError, match="not 'sideways'"):
            one.shutdown("sideways")
        with pytest.raises(HandleClosed, match="cannot shut down a pair"):
            one.shutdown()

    trueasync.run(main)


def test_much_more_than_fits_is_written_while_the_other_reads(seeds):
    data = os.urandom(1 << 20)

    def main():
        one, other = stream_pair()
        with one, other:
            writing = spawn(one.write, data)
            read = other.read_exactly(len(data) // 2) + other.read_exactly(len(data) // 2)
            return writing.result(), read == data

    for seed in seeds:
        assert trueasync.run(main) == (len(data), True)
        if seed == "random:20":
            break


def test_writes_of_several_do_not_mix(seeds):
    size = 200_000

    def main():
        one, other = stream_pair()
        with one, other:
            writers = [spawn(one.write, bytes([number]) * size) for number in range(4)]
            pieces = sorted(other.read_exactly(size) for _ in range(4))
            for writer in writers:
                writer.result()
            return pieces == [bytes([number]) * size for number in range(4)]

    for seed in seeds:
        assert trueasync.run(main)
        if seed == "random:20":
            break


def test_closing_wakes_readers_and_writers_with_an_error_of_their_own():
    def main():
        one, other = stream_pair()
        with other:
            waiting = [spawn(one.read), spawn(one.read), spawn(one.write, bytes(1 << 24))]
            waiting.append(spawn(one.write, b"x"))
            suspend()
            one.close()
            errors = []
            for waiter in waiting:
                with pytest.raises(HandleClosed) as found:
                    waiter.result()
                errors.append(found.value)
        assert len(set(map(id, errors))) == 4
        assert {error.errno for error in errors} == {errno.EBADF}

    trueasync.run(main)


def test_a_peers_reset_is_an_error_with_its_address(peer):
    def main():
        with peer() as (stream, other):
            name = ":".join(map(str, other.getsockname()))
            reset(other)
            with pytest.raises(ConnectionResetError, match=f"cannot read from {name}: Conn"):
                stream.read()

    trueasync.run(main)


def test_a_peers_reset_wakes_a_writer_too(peer):
    def main():
        with peer() as (stream, other):
            writing = spawn(stream.write, bytes(1 << 25))
            suspend()
            reset(other)
            with pytest.raises((ConnectionResetError, BrokenPipeError), match=r"127\.0\.0\.1:"):
                writing.result()

    trueasync.run(main)


def test_a_peer_that_drips_single_bytes_is_read_whole():
    def main():
        one, other = stream_pair()

        def drip():
            for byte in b"one line\n" * 3:
                one.write(bytes([byte]))
                suspend()
            one.close()

        with other:
            spawn(drip)
            return list(other)

    assert trueasync.run(main) == [b"one line\n"] * 3


def test_an_end_in_the_middle_gives_what_had_come(peer):
    def main():
        with peer() as (stream, other):
            other.sendall(b"short")
            other.close()
            with pytest.raises(IncompleteRead) as found:
                stream.read_exactly(10)
            return found.value.partial

    assert trueasync.run(main) == b"short"


def test_addresses_and_options_are_those_of_the_socket(peer):
    def main():
        with peer() as (stream, other):
            stream.set_option(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            assert stream.get_option(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
            assert len(stream.get_option(socket.SOL_SOCKET, socket.SO_LINGER, 8)) == 8
            assert stream.peer_address == other.getsockname()
            assert stream.local_address == other.getpeername()
            with pytest.raises(OSError, match=r"getsockopt of 127\.0\.0\.1:\d+: Protocol not"):
                stream.get_option(socket.SOL_SOCKET, 9999)
            return stream

    stream = trueasync.run(main)
    with pytest.raises(HandleClosed, match="cannot call getpeername of"):
        print(stream.peer_address)


def test_who_is_cancelled_before_anything_came_has_taken_nothing(seeds):
    def main():
        one, other = stream_pair()
        with one, other:
            readers = [spawn(other.read_exactly, 2) for _ in range(4)]
            suspend()
            got = []
            for number, piece in enumerate((b"a", b"ab", b"b", b"ccdd")):
                one.write(piece)
                readers[number].cancel()
                suspend()
            one.shutdown()
            for reader in readers:
                try:
                    got.append(reader.result())
                except trueasync.Cancelled:
                    pass
            return sorted([*got, other.read_all()])

    for _ in seeds:
        assert sorted(b"".join(trueasync.run(main))) == sorted(b"aabbccdd")


def test_one_that_never_has_to_wait_lets_the_others_run_and_can_be_cancelled():
    def main():
        one, other = stream_pair()
        with one, other:

            def greedy():
                while True:
                    one.write(b"x")
                    other.read()

            busy = spawn(greedy)
            for _ in range(10):
                suspend()
            busy.cancel()
            with pytest.raises(trueasync.Cancelled):
                busy.result()

    trueasync.run(main)

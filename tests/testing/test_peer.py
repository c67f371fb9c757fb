"""FaultyPeer: what it does to a client, and that nothing of it is left."""

import pytest

import trueasync
from trueasync import IncompleteRead, connect
from trueasync.testing import FaultyPeer, drip, half_close, receive, reset, send, stall


def client(peer, use):
    def main():
        with connect(*peer.address) as stream:
            return use(stream)

    return trueasync.run(main)


def test_what_drips_is_read_whole():
    with FaultyPeer(drip(b"one line\n")) as peer:
        assert client(peer, lambda stream: stream.read_line()) == b"one line\n"


def test_a_cut_in_the_middle_is_an_incomplete_read():
    with FaultyPeer(send(b"half")) as peer, pytest.raises(IncompleteRead) as failure:
        client(peer, lambda stream: stream.read_exactly(8))

    assert failure.value.partial == b"half"


def test_a_reset_is_an_error():
    with FaultyPeer(receive(1), reset()) as peer, pytest.raises(ConnectionResetError):
        client(peer, lambda stream: (stream.write(b"x"), stream.read()))


def test_one_that_closed_its_half_still_hears():
    with FaultyPeer(half_close(), receive(5)) as peer:
        read, written = client(peer, lambda stream: (stream.read(), stream.write(b"hello")))

    assert (read, written) == (b"", 5)


def test_one_that_stalls_is_a_matter_of_a_timeout():
    def wait(stream):
        with trueasync.timeout(0.01):
            stream.read()

    with FaultyPeer(stall()) as peer, pytest.raises(TimeoutError):
        client(peer, wait)


def test_it_takes_one_connection_after_the_other():
    with FaultyPeer(send(b"again")) as peer:
        assert [client(peer, lambda stream: stream.read_all()) for _ in range(3)] == [b"again"] * 3

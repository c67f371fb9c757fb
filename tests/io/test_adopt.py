"""adopt: sockets, pipes and their descriptors become streams; nothing else does."""

import os
import socket

import pytest

import trueasync
from trueasync.io.adopt import adopt


def test_a_socket_is_detached_and_owned_by_the_stream():
    one, other = socket.socketpair()

    def main():
        with adopt(one) as stream:
            other.sendall(b"hello")
            return stream.read()

    with other:
        assert trueasync.run(main) == b"hello"
        assert one.fileno() == -1
        assert other.recv(1) == b""


def test_descriptors_of_sockets_and_pipes_do_as_well():
    one, other = socket.socketpair()
    reader, writer = os.pipe()

    def main():
        with adopt(one.detach()) as stream, adopt(other.detach()) as far:
            stream.write(b"socket")
            read = [far.read()]
        with adopt(reader) as stream, adopt(writer) as far:
            far.write(b"pipe")
            return [*read, stream.read()]

    assert trueasync.run(main) == [b"socket", b"pipe"]


def test_what_is_no_stream_is_refused_and_stays_with_its_owner(tmp_path):
    with open(tmp_path / "file", "w") as file, pytest.raises(TypeError, match="neither a socket"):
        adopt(file.fileno())
    with socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        with pytest.raises(TypeError, match="is no stream"):
            adopt(datagrams)
        assert datagrams.fileno() >= 0
    with socket.socket() as fresh:
        with pytest.raises(OSError, match="not connected"):
            adopt(fresh)
        assert fresh.fileno() >= 0
    with pytest.raises(OSError, match="Bad file"):
        adopt(54321)


def test_it_is_named_after_its_peer():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        port = server.getsockname()[1]
        served, _ = server.accept()

    with served, adopt(client) as stream:
        assert repr(stream) == f"<SocketStream 127.0.0.1:{port}>"

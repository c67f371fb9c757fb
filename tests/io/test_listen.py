"""listen and listen_unix: where they listen, what they refuse, and what they leave behind."""

import errno
import os
import socket
import stat

import pytest

import trueasync
from trueasync import connect, connect_unix, listen, listen_unix, spawn


def exchange(listener, connecting):
    """What goes over a connection of `listener`, made by `connecting()`."""
    served = spawn(listener.accept)
    with connecting() as client, served.result() as server:
        client.write(b"question")
        server.write(server.read() + b", answer")
        return client.read()


def test_the_system_chooses_a_port():
    def main():
        with listen("127.0.0.1") as listener:
            assert listener.addresses == [("127.0.0.1", listener.port)]
            assert repr(listener) == f"<Listener at 127.0.0.1:{listener.port}>"
            return exchange(listener, lambda: connect("127.0.0.1", listener.port))

    assert trueasync.run(main) == b"question, answer"


def test_without_a_host_it_listens_in_both_families_at_one_port():
    def main():
        with listen() as listener:
            assert {address[1] for address in listener.addresses} == {listener.port}
            hosts = {"0.0.0.0": "127.0.0.1", "::": "::1"}
            answers = [
                exchange(listener, lambda host=hosts[address[0]]: connect(host, listener.port))
                for address in listener.addresses
            ]
        assert answers == [b"question, answer"] * len(listener.addresses)

    trueasync.run(main)


def test_one_socket_can_take_both_families():
    def main():
        with listen("::", ipv6_only=False) as listener:
            return exchange(listener, lambda: connect("127.0.0.1", listener.port))

    assert trueasync.run(main) == b"question, answer"


def test_a_port_that_is_taken_is_refused_unless_it_is_shared():
    def main():
        with listen("127.0.0.1", reuse_port=True) as listener:
            with pytest.raises(OSError, match=rf"listen at 127.0.0.1:{listener.port}: Address"):
                listen("127.0.0.1", listener.port)
            with listen("127.0.0.1", listener.port, reuse_port=True) as other:
                assert other.port == listener.port

    trueasync.run(main)


def test_a_port_can_be_used_again_at_once():
    def main():
        with listen("127.0.0.1") as listener:
            exchange(listener, lambda: connect("127.0.0.1", listener.port))
        with listen("127.0.0.1", listener.port) as again:
            return exchange(again, lambda: connect("127.0.0.1", again.port))

    assert trueasync.run(main) == b"question, answer"


@pytest.mark.parametrize("port", [-1, 65536, 1 << 70])
def test_what_is_no_port_is_refused(port):
    with pytest.raises(ValueError, match="a TCP port is a number from 0 to 65535"):
        trueasync.run(listen, "127.0.0.1", port)


def test_a_host_of_others_is_refused():
    def main():
        with pytest.raises(OSError, match=r"cannot listen at 192\.0\.2\.1:0|no address") as failure:
            listen("192.0.2.1")
        assert failure.value.errno == errno.EADDRNOTAVAIL

    trueasync.run(main)


def test_connections_go_out_without_delay():
    def main():
        with listen("127.0.0.1") as listener:
            served = spawn(listener.accept)
            with connect("127.0.0.1", listener.port) as client, served.result() as server:
                return [
                    stream.get_option(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                    for stream in (client, server)
                ]

    assert trueasync.run(main) == [1, 1]


# -- Unix sockets ---------------------------------------------------------------------------


def test_a_unix_socket_is_a_file_for_as_long_as_it_listens(tmp_path):
    path = tmp_path / "socket"

    def main():
        with listen_unix(path, mode=0o600) as listener:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert repr(listener) == f"<Listener at {path}>"
            answer = exchange(listener, lambda: connect_unix(path))
        assert not path.exists()
        return answer

    assert trueasync.run(main) == b"question, answer"


def test_an_abstract_one_has_no_file():
    name = f"\0trueasync-{os.getpid()}"

    def main():
        with listen_unix(name) as listener:
            assert repr(listener) == f"<Listener at @trueasync-{os.getpid()}>"
            return exchange(listener, lambda: connect_unix(name))

    assert trueasync.run(main) == b"question, answer"


def test_one_that_nobody_listens_at_is_replaced(tmp_path):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    def main():
        with listen_unix(path) as listener:
            return exchange(listener, lambda: connect_unix(path))

    assert trueasync.run(main) == b"question, answer"


def test_one_that_somebody_listens_at_is_left_alone(tmp_path):
    path = tmp_path / "socket"

    def main():
        with listen_unix(path) as listener:
            with pytest.raises(OSError, match=f"cannot listen at {path}: Address already in use"):
                listen_unix(path)
            listener.accept().close()  # that was the other, who looked whether we live
            return exchange(listener, lambda: connect_unix(path))

    assert trueasync.run(main) == b"question, answer"


def test_a_file_that_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "notes"
    path.write_text("precious")

    with pytest.raises(OSError, match="Address already in use"):
        listen_unix(path)

    assert path.read_text() == "precious"


def test_the_file_of_a_successor_is_not_removed(tmp_path):
    path = tmp_path / "socket"

    def main():
        first = listen_unix(path)
        os.unlink(path)
        with listen_unix(path) as second:
            first.close()
            assert path.exists()
            return exchange(second, lambda: connect_unix(path))

    assert trueasync.run(main) == b"question, answer"

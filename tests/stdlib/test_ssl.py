"""TLS of the standard library: inside a coroutine only that waits."""

import socket
import ssl

import pytest
import trustme

import trueasync
from trueasync import spawn


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(params=["before", "after"])
def contexts(request, authority):
    """Contexts for the server and the client, made before the patch or after it."""

    def made():
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(server)
        client = ssl.create_default_context()
        authority.configure_trust(client)
        return server, client

    before = made()
    with trueasync.patched():
        yield before if request.param == "before" else made()


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def secured(contexts, pair):
    """Both ends, after a handshake in which each waits for the other."""
    serving = spawn(contexts[0].wrap_socket, pair[0], server_side=True)
    client = contexts[1].wrap_socket(pair[1], server_hostname="localhost")
    return serving.result(), client


def test_a_handshake_of_two_coroutines_is_one_of_two_programs(contexts, pair):
    def main():
        server, client = secured(contexts, pair)
        with server, client:
            return server.version(), client.getpeercert()["subjectAltName"]

    version, names = trueasync.run(main)
    assert version.startswith("TLS")
    assert names == (("DNS", "localhost"),)


def test_a_read_waits_and_keeps_to_the_timeout(contexts, pair):
    def main():
        server, client = secured(contexts, pair)
        with server, client:
            order = []
            reading = spawn(lambda: order.append(server.recv(100)))
            trueasync.suspend()
            order.append("others")
            client.sendall(b"some")
            reading.result()
            server.settimeout(0.01)
            with pytest.raises(TimeoutError, match="The read operation timed out"):
                server.recv(100)
            return order, server.gettimeout()

    assert trueasync.run(main) == (["others", b"some"], 0.01)


def test_much_goes_both_ways_at_the_same_time(contexts, pair):
    size = 2_000_000

    def read_all(stream):
        got = 0
        while got < size:
            got += len(stream.recv(65536))
        return got

    def main():
        server, client = secured(contexts, pair)
        with server, client:
            reading = [spawn(read_all, server), spawn(read_all, client)]
            writing = spawn(server.sendall, bytes(size))
            client.sendall(bytes(size))
            writing.result()
            return [each.result() for each in reading]

    assert trueasync.run(main) == [size, size]


def test_unwrap_waits_for_the_peers_goodbye(contexts, pair):
    def main():
        server, client = secured(contexts, pair)
        with server, client:
            leaving = spawn(server.unwrap)
            with client.unwrap() as plain, leaving.result() as other:
                plain.sendall(b"plain")
                return other.recv(9)

    assert trueasync.run(main) == b"plain"


def test_a_certificate_that_does_not_fit_is_refused_on_both_sides(contexts, pair):
    def main():
        serving = spawn(contexts[0].wrap_socket, pair[0], server_side=True)
        with pytest.raises(ssl.SSLCertVerificationError):
            contexts[1].wrap_socket(pair[1], server_hostname="elsewhere")
        with pytest.raises((ssl.SSLError, ConnectionError)):
            serving.result()

    trueasync.run(main)


# The standard library closes what it cannot give out on an OSError only; else it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_handshake_nobody_answers_can_be_cancelled(contexts, pair):
    def main():
        waiting = spawn(contexts[1].wrap_socket, pair[1], server_hostname="localhost")
        trueasync.suspend()
        waiting.cancel()
        with pytest.raises(trueasync.Cancelled):
            waiting.result()

    trueasync.run(main)


def test_a_name_callback_may_wait_itself(contexts, pair):
    def main():
        contexts[0].sni_callback = lambda stream, name, context: trueasync.sleep(0.01)
        server, client = secured(contexts, pair)
        with server, client:
            client.sendall(b"some")
            return server.recv(9)

    assert trueasync.run(main) == b"some"


def test_outside_a_coroutine_it_blocks_as_before(contexts, pair):
    import threading

    def main():
        server, client = secured(contexts, pair)
        return server, client

    server, client = trueasync.run(main)
    with server, client:
        writer = threading.Timer(0.02, client.sendall, (b"some",))
        writer.start()
        assert server.recv(9) == b"some"
        writer.join()

"""TLS over any stream: both directions at once, its end said by the peer, errors with names."""

import gc
import ssl

import pytest
from tls_pairs import NAME, Wire, client_context, server_context, shake_hands, wires

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.start_tls import start_tls
from trueasync.io.tls import TlsStream

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.fixture(params=VERSIONS, ids=["1.2", "1.3"])
def version(request):
    return request.param


@pytest.fixture
def talk(run, version):
    """`talk(body)`: what body(client, server) returns, after a handshake, on both reactors."""

    def talk(body):
        def main():
            client, server = shake_hands(client_context(version), server_context(version=version))
            with client, server:
                return body(client, server)

        return run(main)

    return talk


def settle():
    for _ in range(10):
        trueasync.suspend()


def raised_by(coroutine):
    try:
        coroutine.result()
    except BaseException as error:
        return error
    return None


# -- bytes -------------------------------------------------------------------------------


def test_what_one_side_writes_the_other_reads(talk):
    def body(client, server):
        client.write(b"ping")
        asked = server.read()
        server.write_buffers([b"po", bytearray(b"ng"), b""])
        return asked, client.read_exactly(4)

    assert talk(body) == (b"ping", b"pong")


def test_nothing_readable_goes_over_the_wire(run):
    seen = []

    class Watched(Wire):
        def transmit(self, data):
            seen.append(bytes(data))
            return super().transmit(data)

    def main():
        one, other = wires()
        watched = Watched("watched", one.outward, one.inward)
        client, server = shake_hands(ends=(watched, other))
        client.write(b"a secret " * 100)
        server.read_exactly(900)
        client.close()
        server.close()
        one.close()

    run(main)
    assert seen
    assert b"secret" not in b"".join(seen)


@pytest.mark.parametrize("size", [1, 16_384, 16_385, 65_536, 1_000_000])
def test_any_size_arrives_whole_in_both_directions_at_once(talk, size):
    there, back = bytes(range(256)) * (size // 256 + 1), b"x" * size

    def body(client, server):
        writers = [trueasync.spawn(client.write, there), trueasync.spawn(server.write, back)]
        reader = trueasync.spawn(client.read_exactly, size)
        arrived = server.read_exactly(len(there)), reader.result()
        return arrived == (there, back), [writer.result() for writer in writers]

    assert talk(body) == (True, [len(there), size])


def test_lines_and_reading_into_memory(talk):
    def body(client, server):
        writer = trueasync.spawn(client.write, b"one\ntwo\n" + b"x" * 40_000)
        target = bytearray(40_000)
        lines = server.read_line(), server.read_line()
        got = 0
        while got < len(target):
            got += server.read_into(memoryview(target)[got:])
        return lines, target == b"x" * 40_000, writer.result()

    assert talk(body) == ((b"one\n", b"two\n"), True, 40_008)


def test_writing_nothing_sends_nothing(talk):
    def body(client, server):
        written = client.write(b""), client.write_buffers([])
        client.write(b"x")
        return written, server.read()

    assert talk(body) == ((0, 0), b"x")


@pytest.mark.parametrize("data", ["text", None, 5])
def test_only_bytes_are_written(talk, data):
    def body(client, server):
        with pytest.raises(TypeError):
            client.write(data)
        client.write(b"x")
        return server.read()

    assert talk(body) == b"x"


def test_a_slow_reader_holds_the_writer_back_and_little_is_encrypted_ahead(run):
    pieces = []

    class Watched(Wire):
        def transmit(self, data):
            pieces.append(len(data))
            return super().transmit(data)

    def main():
        one, other = wires()
        watched = Watched("watched", one.outward, one.inward)
        client, server = shake_hands(ends=(watched, other))
        with client, server:
            writer = trueasync.spawn(client.write, bytes(3_000_000))
            settle()
            early = writer.done(), sum(pieces) < 200_000
            got = len(server.read_exactly(3_000_000))
            return early, got, writer.result()

    assert run(main) == ((False, True), 3_000_000, 3_000_000)
    assert max(pieces) < 100_000


def test_full_duplex_in_any_order(seeds):
    def sends(stream, number):
        for turn in range(20):
            stream.write(b"%d.%d\n" % (number, turn))

    def main():
        client, server = shake_hands(contexts[0], contexts[1])
        with client, server:
            writers = [trueasync.spawn(sends, end, n) for n, end in enumerate((client, server) * 2)]
            readers = [
                trueasync.spawn(lambda end=end: [end.read_line() for _ in range(40)])
                for end in (client, server)
            ]
            for writer in writers:
                writer.result()
            return [sorted(reader.result()) for reader in readers]

    contexts = client_context(), server_context()
    expected = [
        sorted(b"%d.%d\n" % (n, turn) for n in numbers for turn in range(20))
        for numbers in ((1, 3), (0, 2))
    ]
    for _ in seeds:
        assert trueasync.run(main) == expected


# -- who the peer is ---------------------------------------------------------------------


def test_both_know_the_version_the_cipher_and_the_protocol(run, version):
    def main():
        client, server = client_context(version), server_context(version=version)
        client.set_alpn_protocols(["spdy", "h2"])
        server.set_alpn_protocols(["h2", "http/1.1"])
        ends = shake_hands(client, server)
        found = [(end.version, end.protocol, end.cipher[1]) for end in ends]
        for end in ends:
            end.close()
        return found

    name = {VERSIONS[0]: "TLSv1.2", VERSIONS[1]: "TLSv1.3"}[version]
    assert run(main) == [(name, "h2", name)] * 2


def test_without_a_common_protocol_there_is_none(talk):
    assert talk(lambda client, server: (client.protocol, server.protocol)) == (None, None)


def test_the_certificate_of_the_server_and_of_a_client_that_has_one(run, version):
    def main():
        server = server_context(version=version, client_certificates=True)
        client, served = shake_hands(client_context(version, "client.example"), server)
        with client, served:
            client.write(b"x")
            served.read()
            names = [
                [name for _, name in end.peer_certificate()["subjectAltName"]]
                for end in (client, served)
            ]
            return names, type(client.peer_certificate(binary=True))

    assert run(main) == ([[NAME], ["client.example"]], bytes)


def test_a_server_of_several_names_chooses_the_certificate(run):
    asked = []

    def choose(engine, name, context):
        asked.append(name)
        engine.context = other

    other = server_context("other.example")

    def main():
        context = server_context()
        context.sni_callback = choose
        client, server = shake_hands(server=context, name="other.example")
        with client, server:
            return client.peer_certificate()["subjectAltName"]

    assert run(main) == (("DNS", "other.example"),)
    assert asked == ["other.example"]


def test_a_session_is_taken_up_again(run):
    def main():
        context, trusted = server_context(version=VERSIONS[0]), client_context(VERSIONS[0])
        client, server = shake_hands(trusted, context)
        session = client.engine.session
        client.close()
        server.close()
        one, other = wires()
        answering = trueasync.spawn(start_tls, other, context, server_side=True)
        again = start_tls(one, trusted, server_hostname=NAME, session=session)
        with again, answering.result():
            return again.engine.session_reused

    assert run(main) is True


# -- handshakes that fail ----------------------------------------------------------------


def failing(client, server, name=NAME):
    """What both sides of a handshake raise, and whether both streams were closed."""
    one, other = wires()
    answering = trueasync.spawn(start_tls, other, server, server_side=True)
    asking = trueasync.spawn(start_tls, one, client, server_hostname=name)
    errors = raised_by(asking), raised_by(answering)
    return errors, one.closed and other.closed


def test_a_certificate_for_another_name_is_refused_and_says_who_it_was(run):
    def main():
        return failing(client_context(), server_context("other.example"))

    (asking, answering), closed = run(main)

    assert closed
    assert isinstance(asking, ssl.SSLCertVerificationError)
    assert "Hostname mismatch" in str(asking)
    assert str(asking).endswith("(TLS with wire 1)")
    assert isinstance(answering, ssl.SSLError)
    assert "alert" in str(answering)  # it was told why


def test_a_certificate_of_an_unknown_authority_is_refused(run):
    def main():
        return failing(None, server_context())

    (asking, answering), closed = run(main)

    assert closed
    assert asking.verify_message.startswith("unable to get local issuer")
    assert "unknown ca" in str(answering)


def test_a_client_without_the_certificate_that_is_wanted_is_refused(run):
    def main():
        server = server_context(version=VERSIONS[0], client_certificates=True)
        return failing(client_context(VERSIONS[0]), server)

    (asking, answering), _ = run(main)

    assert "peer did not return a certificate" in str(answering)
    assert "alert handshake failure" in str(asking)


def test_no_common_version(run):
    def main():
        return failing(client_context(VERSIONS[0]), server_context(version=VERSIONS[1]))

    errors, _ = run(main)

    assert all(isinstance(error, ssl.SSLError) for error in errors)


def test_a_peer_that_speaks_something_else(run):
    def main():
        one, other = wires()
        other.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        with pytest.raises(ssl.SSLError, match=r"(?i)wrong.version.number.*\(TLS with wire 1\)"):
            start_tls(one, client_context(), server_hostname=NAME)
        other.close()
        return one.closed

    assert run(main)


def test_a_peer_that_goes_away_in_the_handshake(run):
    def main():
        one, other = wires()
        asking = trueasync.spawn(start_tls, one, client_context(), server_hostname=NAME)
        settle()
        other.close()
        error = raised_by(asking)
        return type(error), str(error).endswith("(TLS with wire 1)"), one.closed

    assert run(main) == (ssl.SSLEOFError, True, True)


def test_a_handshake_that_is_cancelled_closes_the_stream(run):
    def main():
        one, other = wires()
        asking = trueasync.spawn(start_tls, one, client_context(), server_hostname=NAME)
        settle()
        asking.cancel()
        error = raised_by(asking)
        other.close()
        return type(error), one.closed

    assert run(main) == (Cancelled, True)


def test_a_server_must_have_a_context_and_a_client_must_name_the_server(run):
    def main():
        for options in ({"server_side": True}, {}, {"server_hostname": ""}):
            one, other = wires()
            with pytest.raises(ValueError, match=r"context|names whom"):
                start_tls(one, **options)
            assert one.closed
            other.close()

    run(main)


def test_what_is_no_stream_is_refused():
    with pytest.raises(TypeError):
        TlsStream(object(), client_context(), False, NAME, None)


# -- what is left ------------------------------------------------------------------------


def test_a_hundred_connections_leave_nothing_behind(run):
    def main():
        for _ in range(100):
            client, server = shake_hands(*contexts)
            client.write(b"x")
            server.read()
            client.close()
            server.close()

    contexts = client_context(), server_context()
    run(main)
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, (TlsStream, ssl.SSLObject))]


def test_nothing_can_be_done_with_a_closed_one(run):
    def main():
        client, server = shake_hands()
        server.close()
        client.close()
        client.close()
        calls = [client.read, client.handshake, client.unwrap, client.shutdown]
        for call in [*calls, lambda: client.write(b"x"), lambda: next(client)]:
            with pytest.raises(HandleClosed, match="TLS with wire 1"):
                call()

    run(main)

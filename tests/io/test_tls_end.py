"""TLS: how it ends: said, half said, not said, cancelled, closed, or given back."""

import ssl

import pytest
from tls_pairs import NAME, client_context, server_context, shake_hands, wires

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.start_tls import start_tls

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.fixture(params=VERSIONS, ids=["1.2", "1.3"])
def version(request):
    return request.param


@pytest.fixture
def talk(run, version):
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
        return type(error)
    return None


# -- said --------------------------------------------------------------------------------


def test_closing_tells_the_peer_that_nothing_follows(talk):
    def body(client, server):
        client.write(b"last")
        client.close()
        return server.read_all(), server.read(), server.read()

    assert talk(body) == (b"last", b"", b"")


def test_one_direction_is_ended_and_the_other_goes_on(talk):
    def body(client, server):
        server.write(b"on its way ")
        client.shutdown()
        with pytest.raises(BrokenPipeError, match="was shut down here"):
            client.write(b"more")
        ended = server.read()
        server.write(b"and more")
        server.close()
        return ended, client.read_all(), client.read()

    assert talk(body) == (b"", b"on its way and more", b"")


def test_it_is_ended_twice_as_once_and_only_for_writing(talk):
    def body(client, server):
        client.shutdown()
        client.shutdown("write")
        with pytest.raises(OSError, match='can only end "write"'):
            client.shutdown("read")
        return server.read()

    assert talk(body) == b""


def test_a_peer_that_reads_nothing_does_not_keep_us_from_closing(run):
    def main():
        client, server = shake_hands()
        writer = trueasync.spawn(client.write, bytes(1_000_000))
        settle()
        client.close()  # in the middle of a record: there is nothing to say
        failed = raised_by(writer)
        server.inner.close()
        server.close()
        full = shake_hands()
        for _ in range(8):
            full[0].inner.outward.send(b"")  # no room for a word
        full[0].close()  # in virtual time, or within a second
        full[1].inner.close()
        full[1].close()
        return failed, client.inner.closed, full[0].inner.closed

    assert run(main) == (HandleClosed, True, True)


# -- not said ----------------------------------------------------------------------------


def test_an_end_that_was_not_announced_may_be_an_attack(talk):
    def body(client, server):
        client.write(b"last words")
        client.inner.close()
        heard = server.read_exactly(4), server.read()
        for _ in range(2):
            with pytest.raises(ssl.SSLEOFError, match=r"\(TLS with wire 2\)"):
                server.read()
        return heard

    assert talk(body) == (b"last", b" words")


def test_read_all_does_not_take_a_cut_for_the_end(talk):
    def body(client, server):
        client.write(b"half")
        client.inner.close()
        with pytest.raises(ssl.SSLEOFError):
            server.read_all()
        return server.read()

    assert talk(body) == b"half"


def test_bytes_that_were_changed_on_the_way_are_refused_for_good(talk):
    def body(client, server):
        client.write(b"right")
        settle()
        good = server.read()
        server.inner.inward.send(b"\x17\x03\x03\x00\x20" + b"forged" * 6)
        for _ in range(2):
            with pytest.raises(ssl.SSLError, match=r"\(TLS with wire 2\)"):
                server.read()
        return good

    assert talk(body) == b"right"


# -- cancelled ---------------------------------------------------------------------------


def test_a_cancelled_reader_takes_nothing(talk):
    def body(client, server):
        reader = trueasync.spawn(server.read)
        settle()
        reader.cancel()
        client.write(b"kept")
        return raised_by(reader), server.read()

    assert talk(body) == (Cancelled, b"kept")


def test_a_reader_that_is_cancelled_in_any_order_takes_all_or_nothing(seeds):
    def main():
        client, server = shake_hands(*contexts)
        with client, server:
            reader = trueasync.spawn(server.read_exactly, 10)
            writer = trueasync.spawn(lambda: [client.write(b"x") for _ in range(10)])
            trueasync.suspend()
            reader.cancel()
            try:
                return reader.result()
            except Cancelled:
                return server.read_exactly(10)
            finally:
                writer.result()

    contexts = client_context(), server_context()
    for _ in seeds:
        assert trueasync.run(main) == b"x" * 10


def test_after_a_write_was_cancelled_half_way_nothing_else_is_written(talk):
    def body(client, server):
        writer = trueasync.spawn(client.write, bytes(1_000_000))
        settle()
        writer.cancel()
        cancelled = raised_by(writer)
        with pytest.raises(OSError, match="an earlier write was cancelled"):
            client.write(b"x")
        server.write(b"still heard")
        return cancelled, client.read()

    assert talk(body) == (Cancelled, b"still heard")


def test_a_writer_that_was_cancelled_in_line_leaves_the_others_alone(talk):
    def body(client, server):
        big = trueasync.spawn(client.write, bytes(300_000))
        small = [trueasync.spawn(client.write, b"%d" % number) for number in range(3)]
        settle()
        small[1].cancel()
        got = server.read_exactly(300_002)
        return got[-2:], raised_by(big), [raised_by(one) for one in small]

    assert talk(body) == (b"02", None, [None, Cancelled, None])


# -- closed ------------------------------------------------------------------------------


def test_closing_wakes_who_reads_and_who_waits_to_read(talk):
    def body(client, server):
        readers = [trueasync.spawn(client.read) for _ in range(3)]
        settle()
        client.close()
        return [raised_by(reader) for reader in readers], client.inner.closed

    assert talk(body) == ([HandleClosed] * 3, True)


def test_closing_the_stream_below_wakes_them_too(talk):
    def body(client, server):
        reader = trueasync.spawn(client.read)
        settle()
        client.inner.close()
        return raised_by(reader)

    assert talk(body) is HandleClosed


def test_a_close_that_is_cancelled_has_closed(run):
    def main():
        client, server = shake_hands()
        for _ in range(8):
            client.inner.outward.send(b"")
        closing = trueasync.spawn(client.close)
        settle()
        closing.cancel()
        result = raised_by(closing), client.closed, client.inner.closed
        server.inner.close()
        server.close()
        return result

    assert run(main) == (Cancelled, True, True)


# -- given back --------------------------------------------------------------------------


def test_tls_is_ended_by_both_and_the_stream_goes_on_in_the_clear(run, version):
    def main():
        client, server = shake_hands(client_context(version), server_context(version=version))
        client.write(b"secret")
        server.read()
        ending = trueasync.spawn(client.unwrap)
        one = server.unwrap()
        other = ending.result()
        one.write(b"in the clear\n")
        line = other.read_line()
        with pytest.raises(HandleClosed):
            client.read()
        closed = client.closed, server.closed, one.closed, other.closed
        one.close()
        other.close()
        return line, closed

    assert run(main) == (b"in the clear\n", (True, True, False, False))


def test_what_came_behind_the_end_of_tls_is_not_lost(run):
    def main():
        one, other = wires()
        client, server = shake_hands(ends=(one, other))
        ending = trueasync.spawn(server.unwrap)
        settle()
        client.shutdown()
        one.write(b"in the clear")
        settle()
        plain = ending.result()
        found = plain.read_exactly(12)
        client.close()
        plain.close()
        return found

    assert run(main) == b"in the clear"


def test_what_was_not_read_stands_in_the_way_of_unwrapping(talk):
    def body(client, server):
        client.write(b"unread")
        settle()
        for _ in range(2):
            with pytest.raises(trueasync.UsageError, match="was not read"):
                server.unwrap()
        ending = trueasync.spawn(client.unwrap)
        found = server.read_all()
        below = server.unwrap()
        below.close()
        ending.result().close()
        return found

    assert talk(body) == b"unread"


def test_tls_in_tls(run):
    def main():
        outer = shake_hands()
        client, server = shake_hands(ends=outer)
        with client, server:
            writer = trueasync.spawn(client.write, b"x" * 50_000)
            return len(server.read_exactly(50_000)), client.info(), writer.result()

    assert run(main) == (50_000, "TLS with TLS with wire 1", 50_000)


def test_a_stream_that_was_closed_cannot_be_started(run):
    def main():
        one, other = wires()
        one.close()
        other.close()
        with pytest.raises(HandleClosed):
            start_tls(one, client_context(), server_hostname=NAME)

    run(main)

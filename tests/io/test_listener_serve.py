"""Listener.serve: a coroutine for each connection, and what becomes of their errors."""

import pytest

import trueasync
from trueasync import connect, listen, serve, spawn, suspend


def echo(stream):
    while data := stream.read():
        stream.write(data)


def ask(listener, question=b"hello"):
    with connect("127.0.0.1", listener.port) as stream:
        stream.write(question)
        return stream.read_exactly(len(question))


def fail(stream):
    stream.read()
    raise ZeroDivisionError("of the handler")


def test_every_connection_has_a_coroutine_and_closing_waits_for_them():
    def main():
        listener = listen("127.0.0.1")
        serving = spawn(listener.serve, echo)
        with connect("127.0.0.1", listener.port) as slow:
            assert [ask(listener) for _ in range(3)] == [b"hello"] * 3
            slow.write(b"still")
            assert slow.read() == b"still"
            listener.close()
            suspend()
            assert not serving.done()
            slow.write(b"there")
            assert slow.read() == b"there"
        serving.result()

    trueasync.run(main)


def test_a_peer_that_has_gone_ends_its_handler_and_no_other():
    def shout(stream):
        while True:
            stream.write(bytes(65536))

    def main():
        listener = listen("127.0.0.1")
        serving = spawn(listener.serve, shout)
        for _ in range(3):
            with connect("127.0.0.1", listener.port) as stream:
                assert stream.read()
        listener.close()
        serving.result()

    trueasync.run(main)


def test_an_error_of_a_handler_ends_all_and_is_raised():
    def main():
        with listen("127.0.0.1") as listener:
            serving = spawn(listener.serve, fail)
            with (
                connect("127.0.0.1", listener.port) as idle,
                connect("127.0.0.1", listener.port) as stream,
            ):
                stream.write(b"x")
                assert idle.read() == b""
            with pytest.raises(Exception, match="serve at") as failure:
                serving.result()
        return [type(error) for error in failure.value.exceptions]

    assert trueasync.run(main) == [ZeroDivisionError]


def test_on_error_may_take_it_and_the_others_go_on():
    def main():
        listener = listen("127.0.0.1")
        errors = []
        serving = spawn(
            listener.serve, fail, on_error=lambda error, stream: errors.append((error, stream))
        )
        for _ in range(2):
            with connect("127.0.0.1", listener.port) as stream:
                stream.write(b"x")
                assert stream.read() == b""
        listener.close()
        serving.result()
        return [(str(error), stream.closed) for error, stream in errors]

    assert trueasync.run(main) == [("of the handler", True)] * 2


def test_a_cancelled_server_closes_its_connections():
    def main():
        serving = spawn(serve, echo, "127.0.0.1", 0)
        suspend()
        serving.cancel()
        with pytest.raises(trueasync.Cancelled):
            serving.result()
        with listen("127.0.0.1") as listener:
            serving = spawn(listener.serve, echo)
            with connect("127.0.0.1", listener.port) as stream:
                stream.write(b"x")
                assert stream.read() == b"x"
                serving.cancel()
                return stream.read()

    assert trueasync.run(main) == b""


def test_a_writer_to_a_slow_reader_waits_and_memory_stays_bounded():
    import resource

    total, piece = 64 << 20, bytes(1 << 20)

    def pour(stream):
        for _ in range(total >> 20):
            stream.write(piece)

    def main():
        with listen("127.0.0.1") as listener:
            serving = spawn(listener.serve, pour)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            with connect("127.0.0.1", listener.port) as stream:
                read = 0
                buffer = bytearray(65536)
                while got := stream.read_into(buffer):
                    read += got
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            listener.close()
            serving.result()
        return read, (after - before) * 1024

    read, grown = trueasync.run(main)
    assert read == total
    assert grown < 16 << 20

"""Sockets of the standard library: inside a coroutine only that waits, outside all is native."""

import errno
import gc
import os
import socket
import threading

import pytest

import trueasync
from trueasync import spawn
from trueasync.stdlib.watched import find


@pytest.fixture(autouse=True)
def _patched():
    with trueasync.patched():
        yield


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


@pytest.fixture
def server():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def run(main, *args):
    return trueasync.run(main, *args)


def meanwhile(function, *args):
    """What `function` gives in a coroutine of its own, and that others ran while it waited."""
    order = []
    call = spawn(lambda: (order.append("begun"), function(*args))[1])
    trueasync.suspend()
    order.append("others")
    return call, order


def fill(connection):
    connection.setblocking(False)
    try:
        while True:
            connection.send(bytes(1 << 16))
    except BlockingIOError:
        connection.setblocking(True)


def test_a_read_waits_until_there_is_something(pair):
    def main():
        reading, order = meanwhile(pair[0].recv, 100)
        pair[1].sendall(b"some")
        return reading.result(), order

    assert run(main) == (b"some", ["begun", "others"])


def test_many_connections_are_served_at_the_same_time(server):
    def echo(connection):
        with connection:
            while data := connection.recv(100):
                connection.sendall(data)

    def serve():
        for _ in range(50):
            spawn(echo, server.accept()[0])

    def visit(number):
        with socket.create_connection(server.getsockname()) as connection:
            connection.sendall(b"%d" % number)
            return int(connection.recv(100))

    def main():
        spawn(serve)
        visits = [spawn(visit, number) for number in range(50)]
        return [visit.result() for visit in visits]

    assert run(main) == list(range(50))


@pytest.mark.parametrize(
    "read",
    [
        lambda s: s.recv(9),
        lambda s: s.recv_into(bytearray(9)),
        lambda s: s.recvfrom(9),
        lambda s: s.recvfrom_into(bytearray(9)),
        lambda s: s.recvmsg(9),
        lambda s: s.recvmsg_into(iter([bytearray(9)])),
        lambda s: s.makefile("rb").read1(9),
    ],
)
def test_every_way_to_read_waits_and_keeps_to_the_timeout(pair, read):
    def main():
        reading, order = meanwhile(read, pair[0])
        pair[1].sendall(b"some")
        got = reading.result()
        pair[0].settimeout(0.01)
        with pytest.raises(TimeoutError, match="timed out"):
            read(pair[0])
        return got, order

    got, order = run(main)
    assert got in (b"some", 4, (b"some", None), (4, None)) or got[0] in (b"some", 4)
    assert order == ["begun", "others"]


@pytest.mark.parametrize(
    "write",
    [
        lambda s: s.send(b"more"),
        lambda s: s.sendall(b"more"),
        lambda s: s.sendmsg([b"more"]),
        lambda s: s.sendmsg(iter([b"more"])),
    ],
)
def test_every_way_to_write_waits_and_keeps_to_the_timeout(pair, write):
    def drain():
        while not pair[1].recv(1 << 20).endswith(b"more"):
            pass

    def main():
        fill(pair[0])
        writing, order = meanwhile(write, pair[0])
        draining = spawn(drain)
        writing.result()
        draining.result()
        fill(pair[0])
        pair[0].settimeout(0.01)
        with pytest.raises(TimeoutError, match="timed out"):
            write(pair[0])
        return order

    assert run(main) == ["begun", "others"]


def test_all_of_a_large_message_goes_out(pair):
    def read(size):
        return len(pair[1].recv(size, socket.MSG_WAITALL))

    def main():
        reading = spawn(read, 10_000_000)
        pair[0].sendall(bytes(10_000_000))
        return reading.result()

    assert run(main) == 10_000_000


def test_a_look_does_not_take(pair):
    def main():
        pair[1].sendall(b"some")
        return pair[0].recv(9, socket.MSG_PEEK), pair[0].recv(9)

    assert run(main) == (b"some", b"some")


def test_a_socket_that_does_not_block_does_not_in_a_coroutine(pair):
    def main():
        pair[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            pair[0].recv(9)

    run(main)


def test_one_made_and_subclassed_before_is_patched_too(pair):
    trueasync.unpatch()

    class Mine(socket.socket):
        pass

    mine = Mine(fileno=pair[0].detach())
    trueasync.patch()

    def main():
        reading, order = meanwhile(mine.recv, 9)
        pair[1].sendall(b"some")
        return reading.result(), order

    with mine:
        assert run(main) == (b"some", ["begun", "others"])


@pytest.mark.parametrize("end", ["close", "detach"])
def test_who_waits_for_a_socket_that_is_closed_is_told(pair, end):
    def main():
        reading, _ = meanwhile(pair[0].recv, 9)
        left = getattr(pair[0], end)()
        with pytest.raises(OSError, match=os.strerror(errno.EBADF)) as raised:
            reading.result()
        if left is not None:
            os.close(left)
        return raised.value.errno

    assert run(main) == errno.EBADF


def test_a_cancelled_read_takes_nothing(pair):
    def main():
        reading, _ = meanwhile(pair[0].recv, 9)
        reading.cancel()
        pair[1].sendall(b"some")
        with pytest.raises(trueasync.Cancelled):
            reading.result()
        return pair[0].recv(9)

    assert run(main) == b"some"


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_that_nobody_closed_is_forgotten_with_its_number():
    def main():
        one, other = socket.socketpair()
        with other:
            other.sendall(b"some")
            one.recv(9)
            number = one.fileno()
            del one
            gc.collect()
        again, other = socket.socketpair()
        with again, other:
            other.sendall(b"more")
            return again.recv(9), number in (again.fileno(), other.fileno())

    assert run(main) == (b"more", True)


def test_a_refused_connection_is_refused_as_natively(server):
    address = server.getsockname()
    server.close()

    def main():
        with socket.socket() as client:
            status = client.connect_ex(address)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        return status

    assert run(main) == errno.ECONNREFUSED


def test_a_connect_that_nobody_answers_keeps_to_its_timeout():
    def main(path):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen(0)
            with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
                one.connect(path)  # it stays in the backlog, which is full
                other.settimeout(0.02)
                with pytest.raises(TimeoutError):
                    other.connect(path)

    run(main, f"\0trueasync-test-{os.getpid()}")


def test_datagrams_wait_and_stay_apart():
    def main():
        with (
            socket.socket(type=socket.SOCK_DGRAM) as one,
            socket.socket(type=socket.SOCK_DGRAM) as other,
        ):
            one.bind(("127.0.0.1", 0))
            reading = spawn(lambda: [one.recvfrom(9)[0] for _ in range(3)])
            trueasync.suspend()
            for text in (b"a", b"bb", b""):
                other.sendto(text, one.getsockname())
            return reading.result()

    assert run(main) == [b"a", b"bb", b""]


def test_a_native_thread_blocks_on_a_socket_that_coroutines_have_used(pair):
    got = []

    def main():
        pair[1].sendall(b"some")
        pair[0].recv(9)
        thread = threading.Thread(target=lambda: got.append(pair[0].recv(9)))
        thread.start()
        trueasync.sleep(0.01)
        pair[1].sendall(b"more")
        thread.join()

    run(main)
    assert got == [b"more"]
    pair[1].sendall(b"last")
    assert pair[0].recv(9) == b"last"


def test_all_goes_out_of_a_native_thread_too(pair):
    def main():
        pair[0].sendall(b"x")
        pair[1].recv(1)
        thread = threading.Thread(target=pair[0].sendall, args=(bytes(3_000_000),))
        thread.start()
        got = 0
        while got < 3_000_000:
            got += len(pair[1].recv(1 << 16))
        thread.join()
        return got

    assert run(main) == 3_000_000


def test_a_socket_outlives_the_run_that_used_it(pair):
    for text in (b"one", b"two"):

        def main(text=text):
            reading, _ = meanwhile(pair[0].recv, 9)
            pair[1].sendall(text)
            return reading.result()

        assert run(main) == text


def test_nothing_is_kept_of_a_closed_socket(pair):
    def main():
        pair[1].sendall(b"some")
        pair[0].recv(9)
        before = find(pair[0])
        pair[0].close()
        return before, find(pair[0])

    before, after = run(main)
    assert before is not None
    assert after is None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("recv", (-1,)),
        ("recv", ("a",)),
        ("recv", ()),
        ("recv_into", (bytearray(1), 5)),
        ("recv_into", (b"read only",)),
        ("recv_into", (bytearray(1), -1)),
        ("send", ("text",)),
        ("sendall", (None,)),
        ("connect", (5,)),
        ("settimeout", (-1,)),
        ("settimeout", ("a",)),
    ],
)
def test_wrong_arguments_are_refused_as_by_the_original(pair, name, arguments):
    def attempt():
        with pytest.raises((TypeError, ValueError, BufferError)) as raised:
            getattr(pair[0], name)(*arguments)
        return raised.type

    ours = run(attempt)
    trueasync.unpatch()
    assert ours is attempt()


def test_calls_on_a_closed_socket_are_refused_as_by_the_original(pair):
    pair[0].close()

    def main():
        for call in (
            lambda: pair[0].recv(9),
            lambda: pair[0].sendall(b"x"),
            lambda: pair[0].accept(),
            lambda: pair[0].recvfrom(9),
            lambda: pair[0].connect("nowhere"),
        ):
            with pytest.raises(OSError, match=r"\[Errno 9\]"):
                call()

    run(main)

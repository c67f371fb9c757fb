"""connect: addresses of both families, timeouts, refusals, and all that was begun is ended."""

import errno
import socket

import pytest

import trueasync
from trueasync import connect, connect_unix, listen, listen_unix, spawn, suspend
from trueasync.io import connect as connecting
from trueasync.io.connect import in_turns
from trueasync.io.resolve import Address


@pytest.fixture
def names(monkeypatch):
    """What names mean: `names(*addresses)` are the addresses of any host from then on."""

    def mean(*addresses):
        found = [
            Address(socket.AF_INET6 if ":" in host else socket.AF_INET, (host, port))
            for host, port in addresses
        ]
        monkeypatch.setattr(connecting, "resolve", lambda host, port, passive=False: found)

    return mean


@pytest.fixture
def silent():
    """The address of a TCP socket that never answers: its backlog is full."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        fillers = []
        for _ in range(8):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(server.getsockname())
            fillers.append(filler)
        yield server.getsockname()
        for filler in fillers:
            filler.close()


def test_the_families_take_turns():
    def each(family, *names):
        return [Address(family, name) for name in names]

    mixed = each(10, "a6", "b6", "c6") + each(2, "a4", "b4")

    assert [address.where for address in in_turns(mixed)] == ["a6", "a4", "b6", "b4", "c6"]
    assert in_turns(mixed[:1]) == mixed[:1]


def test_the_first_that_answers_wins(names, silent):
    def main():
        with listen("127.0.0.1") as listener:
            names(silent, ("127.0.0.1", listener.port))
            with connect("two", 80, attempt_delay=0.01) as stream:
                return stream.peer_address == ("127.0.0.1", listener.port)

    assert trueasync.run(main)


def test_one_that_refuses_makes_way_for_the_next_at_once(names):
    def main():
        with listen("127.0.0.1") as listener:
            names(("127.0.0.1", 1), ("::1", 1), ("127.0.0.1", listener.port))
            with connect("three", 80, attempt_delay=3600) as stream:
                return stream.peer_address == ("127.0.0.1", listener.port)

    assert trueasync.run(main)


def test_a_slow_one_may_still_win_while_others_fail(names):
    def main():
        with listen("127.0.0.1") as listener:
            names(("127.0.0.1", listener.port), ("127.0.0.1", 1))
            with connect("two", 80, attempt_delay=0) as stream:
                return stream.peer_address == ("127.0.0.1", listener.port)

    assert trueasync.run(main)


def test_nobody_there_is_a_refusal_that_names_the_address():
    def main():
        with pytest.raises(ConnectionRefusedError, match=r"to 127.0.0.1:1: .*refused") as failure:
            connect("127.0.0.1", 1)
        return failure.value.errno

    assert trueasync.run(main) == errno.ECONNREFUSED


def test_when_all_fail_the_error_tells_of_each(names):
    names(("127.0.0.1", 1), ("127.0.0.1", 2))

    with pytest.raises(ConnectionRefusedError) as failure:
        trueasync.run(connect, "example", 80)

    assert str(failure.value).endswith(
        "cannot connect to example:80: 127.0.0.1:1: Connection refused; "
        "127.0.0.1:2: Connection refused"
    )


def test_it_takes_no_longer_than_it_may(silent):
    def main():
        with pytest.raises(TimeoutError, match=r"took more than 0\.05 s") as failure:
            connect(*silent, timeout=0.05)
        return failure.value.errno

    assert trueasync.run(main) == errno.ETIMEDOUT


def test_the_time_limit_is_for_all_attempts_together(names, silent):
    names(silent, silent, silent)

    with pytest.raises(TimeoutError, match=r"took more than 0\.05 s"):
        trueasync.run(connect, "three", 80, timeout=0.05, attempt_delay=0.02)


def test_a_cancelled_one_leaves_nothing_behind(names, silent):
    names(silent, silent)

    def main():
        connecting = spawn(connect, "two", 80, attempt_delay=0)
        for _ in range(5):
            suspend()
        connecting.cancel()
        with pytest.raises(trueasync.Cancelled):
            connecting.result()

    trueasync.run(main)  # the descriptors are counted after every test


def test_it_can_connect_from_an_address():
    def main():
        with listen("127.0.0.1") as listener:
            stream = connect("127.0.0.1", listener.port, local_address=("127.0.0.2", 0))
            with stream:
                return stream.local_address[0]

    assert trueasync.run(main) == "127.0.0.2"


def test_an_address_of_the_other_family_cannot_be_connected_from():
    with pytest.raises(OSError, match="Cannot assign requested address"):
        trueasync.run(connect, "127.0.0.1", 1, local_address=("::1", 0))


def test_without_descriptors_it_fails(few_descriptors):
    def main():
        few_descriptors(0)
        connect("127.0.0.1", 1)

    with pytest.raises(OSError, match="Too many open files"):
        trueasync.run(main)


def test_a_name_that_is_none_is_an_error_of_names():
    with pytest.raises(socket.gaierror):
        trueasync.run(connect, "no such name.invalid", 80)


def test_it_needs_a_run():
    with pytest.raises(trueasync.UsageError, match=r"works inside trueasync\.run"):
        connect("127.0.0.1", 80)


# -- Unix sockets ---------------------------------------------------------------------------


def test_a_unix_socket_that_is_not_there_is_an_error_with_its_path(tmp_path):
    path = tmp_path / "nobody"

    with pytest.raises(FileNotFoundError, match=f"cannot connect to {path}"):
        trueasync.run(connect_unix, path)


def test_one_with_a_full_backlog_is_waited_for(tmp_path):
    path = tmp_path / "busy"

    def main():
        with listen_unix(path, backlog=0) as listener:
            first = connect_unix(path)
            late = spawn(connect_unix, path)
            suspend()
            early = late.done()
            with listener.accept(), first, late.result(), listener.accept():
                return early

    assert trueasync.run(main) is False


def test_one_that_stays_full_is_a_timeout(tmp_path):
    path = tmp_path / "full"

    def main():
        with listen_unix(path, backlog=0), connect_unix(path):
            connect_unix(path, timeout=0.05)

    with pytest.raises(TimeoutError, match=r"took more than 0\.05 s"):
        trueasync.run(main)

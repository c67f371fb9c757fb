"""DescriptorStream: who owns the descriptor, in which run, and what becomes of it."""

import errno
import os

import pytest

import trueasync
from trueasync import HandleClosed, UsageError, spawn, suspend
from trueasync.io.adopt import adopt, stream_pair


def test_who_was_woken_does_not_read_from_a_number_that_names_another_file():
    def main():
        one, other = stream_pair()
        reading = spawn(one.read)
        suspend()
        other.write(b"for the old one")
        while reading.state != "ready":
            suspend()
        number = one.fileno()
        one.close()
        fresh, far = stream_pair()
        far.write(b"for the new one")
        fresh.write(b"for the new one")
        with pytest.raises(HandleClosed):
            reading.result()
        assert number in (fresh.fileno(), far.fileno())
        assert fresh.read() == far.read() == b"for the new one"
        for stream in (other, fresh, far):
            stream.close()

    trueasync.run(main)


def test_one_that_was_forgotten_says_so_and_is_closed():
    def main():
        one, other = stream_pair()
        one.write(b"x")
        other.read()
        fd = one.fileno()
        with pytest.warns(ResourceWarning, match="<SocketStream a pair> was never closed"):
            del one
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(fd)
        other.close()

    trueasync.run(main)


def test_it_can_go_from_one_run_to_the_next():
    one, other = trueasync.run(stream_pair)
    trueasync.run(one.write, b"from the first")

    read = trueasync.run(other.read)
    one.close()
    other.close()

    assert read == b"from the first"


def test_two_runs_cannot_have_it_at_the_same_time(python):
    script = """
import threading, trueasync
from trueasync import spawn, suspend
from trueasync.io.adopt import stream_pair

def main():
    one, other = stream_pair()
    reading = spawn(one.read)
    suspend()
    def elsewhere(call, *args):
        try:
            trueasync.run(call, *args)
        except trueasync.UsageError as error:
            print(error)
    for call in ((one.write, b"x"), (one.close,)):
        thread = threading.Thread(target=elsewhere, args=call)
        thread.start()
        thread.join()
    other.write(b"still there")
    print(reading.result())
    one.close()
    other.close()

trueasync.run(main)
"""
    ran = python(script)

    assert ran.stdout.splitlines() == [
        "a pair is in use in another run, which has not ended",
        "a pair is in use in another run; close it there",
        "b'still there'",
    ], ran.stderr


def test_it_needs_a_run():
    one, other = stream_pair()

    with one, other, pytest.raises(UsageError, match=r"works inside trueasync\.run"):
        one.read()


def test_the_descriptor_can_be_taken_away():
    def main():
        one, other = stream_pair()
        one.write(b"line\nrest")
        assert other.read_line() == b"line\n"
        with pytest.raises(UsageError, match="has read 4 bytes ahead, which would be lost"):
            other.detach()
        assert other.read() == b"rest"
        waiting = spawn(other.read)
        suspend()
        fd = other.detach()
        with pytest.raises(HandleClosed):
            waiting.result()
        with pytest.raises(HandleClosed, match="cannot detach"):
            other.detach()
        again = adopt(fd)
        one.write(b"x")
        assert again.read() == b"x"
        assert other.fileno() == -1
        one.close()
        again.close()

    trueasync.run(main)


def test_a_descriptor_closed_by_someone_else_is_an_error_that_says_so():
    def main():
        one, other = stream_pair()
        reading = spawn(one.read)
        suspend()
        os.close(one.fileno())
        with pytest.raises(OSError, match="its descriptor was closed by someone else") as found:
            reading.result()
        assert found.value.errno == errno.EBADF
        other.close()
        assert one.detach() >= 0

    trueasync.run(main)

"""Device: a named pipe or a terminal by its path: tried, waited for, closed under a reader."""

import errno
import os

import pytest

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.device import Device
from trueasync.io.files import open_file


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def settle():
    for _ in range(3):
        trueasync.sleep(0)


def test_a_reader_waits_for_a_writer_to_come_and_write_and_go(pipe):
    def main():
        with open_file(pipe, "rb") as reading:
            reader = trueasync.spawn(list, reading)
            settle()
            early = reader.done()
            with open_file(pipe, "wb") as writing:
                writing.write(b"one\n")
                settle()
                writing.write(b"two\n")
            return early, reader.result(), reading.read()

    assert trueasync.run(main) == (False, [b"one\n", b"two\n"], b"")


def test_there_must_be_a_reader_before_it_can_be_opened_for_writing(pipe):
    with pytest.raises(OSError, match=str(pipe)) as caught:
        trueasync.run(open_file, pipe, "wb")

    assert caught.value.errno == errno.ENXIO


def test_a_writer_waits_while_the_pipe_is_full_and_everything_arrives(pipe):
    data = os.urandom(1_000_000)

    def main():
        with open_file(pipe, "rb") as reading:
            writing = open_file(pipe, "wb")
            writer = trueasync.spawn(writing.write, data)
            settle()
            early = writer.done()
            got = reading.read_exactly(len(data))
            writing.close()
            return early, writer.result(), got == data, reading.read()

    assert trueasync.run(main) == (False, len(data), True, b"")


def test_writing_to_who_has_gone_is_a_broken_pipe(pipe):
    def main():
        reading = open_file(pipe, "rb")
        with open_file(pipe, "wb") as writing:
            reading.close()
            with pytest.raises(BrokenPipeError, match=str(pipe)):
                writing.write(b"x")

    trueasync.run(main)


def test_closing_wakes_who_reads_and_who_writes(pipe):
    def main():
        reading, writing = open_file(pipe, "rb"), open_file(pipe, "wb")
        writer = trueasync.spawn(writing.write, bytes(1_000_000))
        settle()
        writing.close()
        with pytest.raises(HandleClosed, match="closed here"):
            writer.result()
        reading.read(1 << 20)
        reader = trueasync.spawn(reading.read_all)
        settle()
        reading.close()
        if not reader.done():
            with pytest.raises(HandleClosed, match="closed here"):
                reader.result()
        return reading.fileno(), writing.fileno()

    assert trueasync.run(main) == (-1, -1)


def test_a_parked_reader_is_refused_when_it_is_closed(pipe):
    def main():
        with open_file(pipe, "r+b") as device:
            reader = trueasync.spawn(device.read)
            settle()
            device.close()
            with pytest.raises(HandleClosed):
                reader.result()

    trueasync.run(main)


def test_a_cancelled_reader_takes_nothing(pipe, seeds):
    def main():
        with open_file(pipe, "r+b") as device:
            reader = trueasync.spawn(device.read)
            trueasync.suspend()
            reader.cancel()
            device.write(b"kept")
            with pytest.raises(Cancelled):
                reader.result()
            return device.read()

    for _ in seeds:
        assert trueasync.run(main) == b"kept"


def test_what_never_blocks_needs_no_waiting(run):
    def main():
        with open_file("/dev/zero", "r+b") as zero:
            return zero.read(3), zero.write(bytes(100_000)), len(zero.read(10_000_000))

    assert run(main) == (bytes(3), 100_000, 1 << 18)


@pytest.mark.parametrize("call", ["read", "read_line", "read_all"])
def test_nothing_is_read_from_a_closed_one(run, call):
    def main():
        device = open_file("/dev/zero", "r+b")
        device.close()
        device.close()
        with pytest.raises(HandleClosed):
            getattr(device, call)()
        with pytest.raises(HandleClosed):
            device.write(b"x")

    run(main)


def test_one_that_nobody_closed_is_closed_with_a_warning(run):
    def main():
        device = open_file("/dev/null", "rb")
        assert isinstance(device, Device)
        held = [device]
        del device
        with pytest.warns(ResourceWarning, match="never closed"):
            held.clear()

    run(main)


def test_only_what_it_was_opened_for(run):
    def main():
        with open_file("/dev/null", "rb") as device, pytest.raises(OSError, match="/dev/null"):
            device.write(b"x")
        with open_file("/dev/null", "wb") as device, pytest.raises(OSError, match="/dev/null"):
            device.read()

    run(main)


def test_it_is_used_in_one_run_and_then_in_another(pipe):
    device = trueasync.run(open_file, pipe, "r+b")

    def echo(text):
        reader = trueasync.spawn(device.read)
        settle()
        device.write(text)
        return reader.result()

    answers = [trueasync.run(echo, text) for text in (b"one", b"two")]
    device.close()

    assert answers == [b"one", b"two"]

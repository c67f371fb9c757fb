"""File, used by several at once, and cancelled while a thread works on it."""

import os

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.io.file import File
from trueasync.io.files import open_file
from trueasync.io.jobs import WriteJob
from trueasync.scheduler.calls import running_scheduler

LARGE = 300_000  # such a read is not tried at once


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one\ntwo\nthree\n")
    return path


def raised_by(coroutine):
    try:
        coroutine.result()
    except BaseException as error:
        return type(error)
    return None


def settle():
    for _ in range(5):
        trueasync.suspend()


# -- several at once ---------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["wb", "ab"])
def test_many_writers_lose_no_line_in_any_order(path, seeds, mode):
    def write_lines(file, writer):
        for number in range(5):
            file.write(b"%d.%d\n" % (writer, number))

    def main():
        with open_file(path, mode) as file:
            writers = [trueasync.spawn(write_lines, file, writer) for writer in range(8)]
            for writer in writers:
                writer.result()

    expected = {b"%d.%d\n" % (writer, n) for writer in range(8) for n in range(5)}
    for _ in seeds:
        path.write_bytes(b"")
        trueasync.run(main)

        lines = path.read_bytes().splitlines(keepends=True)
        assert len(lines) == 40
        assert set(lines) == expected
        for writer in range(8):  # each one's are in order
            own = [line for line in lines if line.startswith(b"%d." % writer)]
            assert own == sorted(own)


def test_many_readers_get_each_line_once_in_any_order(tmp_path, seeds):
    lines = [b"%d\n" % number for number in range(60)]
    (tmp_path / "lines").write_bytes(b"".join(lines))

    def main():
        with open_file(tmp_path / "lines", "rb") as file:
            readers = [trueasync.spawn(list, file) for _ in range(5)]
            return [line for reader in readers for line in reader.result()]

    for _ in seeds:
        assert sorted(trueasync.run(main)) == sorted(lines)


def test_at_most_one_write_is_in_flight(slow, path):
    def main(reactor):
        with open_file(path, "wb") as file:
            reactor.slow = True
            writers = [trueasync.spawn(file.write, b"%d" % number) for number in range(3)]
            flights = []
            for _ in writers:
                settle()
                flights.append(len(reactor.begun))
                reactor.end_one()
            reactor.slow = False
            return [writer.result() for writer in writers], flights

    assert slow(main) == ([1, 1, 1], [1, 1, 1])
    assert path.read_bytes() == b"012"


def test_reads_at_offsets_go_on_at_the_same_time(slow, path):
    path.write_bytes(b"one\ntwo\nthree\n" + bytes(LARGE))

    def main(reactor):
        with open_file(path, "rb") as file:
            reactor.slow = True
            readers = [trueasync.spawn(file.read_at, LARGE, place) for place in (0, 4, 8)]
            settle()
            flights = len(reactor.begun)
            while reactor.begun:
                reactor.end_one()
                settle()
            reactor.slow = False
            return flights, [reader.result()[:3] for reader in readers]

    assert slow(main) == (3, [b"one", b"two", b"thr"])


# -- cancelled ---------------------------------------------------------------------------


def test_a_cancelled_write_goes_on_and_keeps_its_turn_until_it_has_ended(slow, path):
    def main(reactor):
        with open_file(path, "wb") as file:
            reactor.slow = True
            first = trueasync.spawn(file.write, b"first ")
            second = trueasync.spawn(file.write, b"second")
            settle()
            first.cancel()
            settle()
            flights = len(reactor.begun), raised_by(first), second.done()
            reactor.end_one()
            settle()
            reactor.end_one()
            reactor.slow = False
            return flights, second.result(), file.tell()

    assert slow(main) == ((1, Cancelled, False), 6, 12)
    assert path.read_bytes() == b"first second"


def test_a_cancelled_append_moves_the_position_when_it_has_ended(slow, path):
    def main(reactor):
        with open_file(path, "ab") as file:
            reactor.slow = True
            writer = trueasync.spawn(file.write, b"four\n")
            settle()
            writer.cancel()
            settle()
            before = file.tell()
            reactor.end_one()
            reactor.slow = False
            return before, file.tell()

    assert slow(main) == (14, 19)


def test_a_write_that_no_thread_has_begun_is_not_done_when_it_is_cancelled(path):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    size = os.write(writer, bytes(1 << 20))
    os.set_blocking(writer, True)  # and full: each thread that writes to it waits

    def main():
        reactor = running_scheduler("test").reactor
        busy = [reactor.work(WriteJob("the pipe", writer, [b"x"], -1)) for _ in range(128)]
        for event in busy:
            event.start()
        with opened_to_append(path) as file:
            writing = trueasync.spawn(file.write, b"four\n")
            trueasync.suspend()
            writing.cancel()
            result = raised_by(writing)
            os.read(reader, size)
            file.write(b"five\n")  # the turn is free
            return result

    assert trueasync.run(main) is Cancelled
    os.close(reader)
    os.close(writer)
    assert path.read_bytes() == b"one\ntwo\nthree\nfive\n"


def opened_to_append(path):
    return File(path, os.open(path, os.O_WRONLY | os.O_APPEND), "ab", path.stat().st_size)


def test_a_cancelled_read_takes_nothing(slow, path):
    path.write_bytes(b"one\ntwo\nthree\n" + bytes(LARGE))

    def main(reactor):
        with open_file(path, "rb") as file:
            file.read(4)
            reactor.slow = True
            reader = trueasync.spawn(file.read, LARGE)
            settle()
            reader.cancel()
            settle()
            reactor.end_one()
            reactor.slow = False
            return raised_by(reader), file.tell(), file.read(4)

    assert slow(main) == (Cancelled, 4, b"two\n")


def test_a_read_into_memory_that_was_cancelled_does_not_write_there(slow, path):
    path.write_bytes(b"x" * LARGE)

    def main(reactor):
        with open_file(path, "rb") as file:
            target = bytearray(LARGE)
            reactor.slow = True
            reader = trueasync.spawn(file.read_into, target)
            settle()
            reader.cancel()
            settle()
            reactor.end_one()
            reactor.slow = False
            return raised_by(reader), any(target)

    assert slow(main) == (Cancelled, False)


def test_one_cancelled_while_it_waits_for_its_turn_leaves_the_line(slow, path):
    def main(reactor):
        with open_file(path, "wb") as file:
            reactor.slow = True
            writers = [trueasync.spawn(file.write, b"%d" % number) for number in range(3)]
            settle()
            writers[1].cancel()
            settle()
            reactor.end_one()
            settle()
            reactor.end_one()
            reactor.slow = False
            return [raised_by(writer) for writer in writers]

    assert slow(main) == [None, Cancelled, None]
    assert path.read_bytes() == b"02"


def test_a_write_that_ended_just_before_it_was_cancelled_counts(slow, path):
    def main(reactor):
        with open_file(path, "wb") as file:
            reactor.slow = True
            writer = trueasync.spawn(file.write, b"done")
            settle()
            reactor.end_one()
            writer.cancel()
            reactor.slow = False
            return writer.result()

    assert slow(main) == 4


def test_its_jobs_are_events_of_the_reactor_that_say_what_they_do(path):
    def main():
        with open_file(path, "wb") as file:
            writer = trueasync.spawn(file.write, b"x")
            trueasync.suspend()
            trueasync.suspend()
            words = writer.waits_for
            writer.result()
            return words

    assert trueasync.run(main) == [f"a thread to write '{path}'"]

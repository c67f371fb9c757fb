"""File, closed: before a use, by a cancellation, by nobody, and while a thread works on it."""

import os

import pytest

import trueasync
from trueasync import Cancelled, HandleClosed
from trueasync.io.files import open_file

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


EVERY_CALL = {
    "read": lambda file: file.read(),
    "read_line": lambda file: file.read_line(),
    "read_at": lambda file: file.read_at(1, 0),
    "write": lambda file: file.write(b"x"),
    "write_at": lambda file: file.write_at(b"x", 0),
    "flush": lambda file: file.flush(),
    "truncate": lambda file: file.truncate(0),
    "seek": lambda file: file.seek(0),
    "stat": lambda file: file.stat(),
    "lines": lambda file: next(file),
}


@pytest.mark.parametrize("call", EVERY_CALL)
def test_nothing_can_be_done_with_a_closed_file(run, path, call):
    def main():
        file = open_file(path, "r+b")
        file.close()
        file.close()
        assert file.fileno() == -1
        with pytest.raises(HandleClosed, match="closed here"):
            EVERY_CALL[call](file)

    run(main)
    assert path.read_bytes() == b"one\ntwo\nthree\n"


def test_it_is_closed_though_its_coroutine_is_cancelled(run, path):
    def hold():
        with open_file(path, "r+b") as file:
            opened.append(file)
            trueasync.sleep(1000)

    opened = []

    def main():
        holding = trueasync.spawn(hold)
        while not opened:
            trueasync.sleep(0.001)
        holding.cancel()
        with pytest.raises(trueasync.Cancelled):
            holding.result()
        return opened[0].closed, opened[0].fileno()

    assert run(main) == (True, -1)


def test_it_is_closed_in_a_coroutine_that_was_cancelled_before_it_got_there(run, path):
    def main():
        file = open_file(path, "r+b")

        def close():
            trueasync.current_coroutine().cancel()
            file.close()

        closing = trueasync.spawn(close)
        with pytest.raises(trueasync.Cancelled):
            closing.result()
        return file.fileno()

    assert run(main) == -1


def test_one_that_nobody_closed_is_closed_with_a_warning(run, path):
    def main():
        file = open_file(path, "rb")
        fd = file.fileno()
        held = [file]
        del file
        with pytest.warns(ResourceWarning, match="never closed"):
            held.clear()
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(fd)

    run(main)


# -- while a thread works on it -------------------------------------------------------------


def test_closing_waits_for_the_thread_and_refuses_those_in_line(slow, path):
    def main(reactor):
        file = open_file(path, "wb")
        reactor.slow = True
        first, second = (trueasync.spawn(file.write, text) for text in (b"first", b"second"))
        settle()
        closing = trueasync.spawn(file.close)
        settle()
        open_still = file.fileno() >= 0, closing.done()
        reactor.slow = False
        reactor.end_one()
        closing.result()
        return open_still, first.result(), raised_by(second), file.fileno()

    assert slow(main) == ((True, False), 5, HandleClosed, -1)
    assert path.read_bytes() == b"first"


def test_a_write_of_several_jobs_is_refused_when_the_file_is_closed_between(slow, path):
    def main(reactor):
        file = open_file(path, "wb")
        reactor.slow = True
        writing = trueasync.spawn(file.write, bytes((1 << 23) + 1))
        settle()
        closing = trueasync.spawn(file.close)
        settle()
        reactor.slow = False
        reactor.end_one()
        closing.result()
        return raised_by(writing), path.stat().st_size

    assert slow(main) == (HandleClosed, 1 << 23)


def test_a_cancelled_close_closes_when_the_thread_has_ended(slow, path):
    def main(reactor):
        file = open_file(path, "wb")
        reactor.slow = True
        writer = trueasync.spawn(file.write, b"text")
        settle()
        closing = trueasync.spawn(file.close)
        settle()
        closing.cancel()
        settle()
        pending = raised_by(closing), file.fileno() >= 0
        reactor.end_one()
        return pending, file.fileno(), raised_by(writer)

    assert slow(main) == ((Cancelled, True), -1, None)


def test_closing_after_a_cancelled_write_waits_for_its_end(slow, path):
    def main(reactor):
        file = open_file(path, "wb")
        reactor.slow = True
        writer = trueasync.spawn(file.write, b"text")
        settle()
        writer.cancel()
        settle()
        closing = trueasync.spawn(file.close)
        settle()
        early = closing.done()
        reactor.slow = False
        reactor.end_one()
        closing.result()
        return early, file.fileno()

    assert slow(main) == (False, -1)
    assert path.read_bytes() == b"text"


def test_writing_reading_closing_and_cancelling_at_random(path, seeds):
    def work(file, number):
        try:
            file.write(b"%d\n" % number)
            file.seek(0)
            file.read(LARGE)
            file.write(b"%d\n" % number)
        except HandleClosed:
            pass

    def main():
        file = open_file(path, "a+b")
        workers = [trueasync.spawn(work, file, number) for number in range(6)]
        trueasync.suspend()
        workers[1].cancel()
        trueasync.sleep(0.0003)
        workers[2].cancel()
        file.close()
        ends = [raised_by(worker) for worker in workers]
        return ends, file.fileno(), trueasync.stats()["active_events"]

    for _ in seeds:
        path.write_bytes(b"")
        ends, fd, active = trueasync.run(main)

        assert (fd, active) == (-1, 0)
        assert set(ends) <= {None, Cancelled}
        lines = path.read_bytes().splitlines()
        assert all(len(line) == 1 for line in lines)  # whole ones only

"""File: a position, exact reads, lines; each request whole; nothing lost by cancelling."""

import errno
import gc
import os
import warnings

import pytest

import trueasync
from trueasync import IncompleteRead, LimitExceeded
from trueasync.io.file import File
from trueasync.io.files import open_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one\ntwo\nthree\n")
    return path


@pytest.fixture
def use(run):
    """`use(body, path, mode)`: what body(file) returns, in a run of its own."""

    def use(body, path, mode="rb"):
        def main():
            with open_file(path, mode) as file:
                return body(file)

        return run(main)

    return use


# -- reading -----------------------------------------------------------------------------


def test_without_a_size_it_is_read_to_its_end(use, path):
    assert use(lambda file: (file.read(), file.read()), path) == (b"one\ntwo\nthree\n", b"")


def test_a_read_gives_the_size_that_was_asked_for_except_at_the_end(use, path):
    def body(file):
        return file.read(5), file.read(0), file.read(100), file.read(1)

    assert use(body, path) == (b"one\nt", b"", b"wo\nthree\n", b"")


@pytest.mark.parametrize("size", [1, 4096, 262_144, 262_145, 3_000_000])
def test_sizes_that_the_cache_gives_and_those_that_a_thread_reads(use, tmp_path, size):
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)

    def body(file):
        whole = file.read()
        file.seek(0)
        return whole == data, file.read(size) == data, file.read(1), file.tell()

    assert use(body, tmp_path / "file") == (True, True, b"", size)


def test_a_huge_size_takes_no_more_memory_than_the_file(use, path):
    assert use(lambda file: file.read(1 << 50), path) == b"one\ntwo\nthree\n"


def test_lines_and_exact_reads_and_the_position_after_each(use, path):
    def body(file):
        steps = [file.read_line(), file.tell(), file.read_exactly(3), file.tell(), file.read(2)]
        return [*steps, file.tell(), *file, file.tell()]

    assert use(body, path) == [b"one\n", 4, b"two", 7, b"\nt", 9, b"hree\n", 14]


def test_an_exact_read_beyond_the_end_says_what_there_was(use, path):
    def body(file):
        file.seek(8)
        with pytest.raises(IncompleteRead) as caught:
            file.read_exactly(100)
        return caught.value.partial

    assert use(body, path) == b"three\n"


def test_reading_into_a_buffer(use, path):
    def body(file):
        target = bytearray(8)
        file.read_line()
        return file.read_into(memoryview(target)[:3]), file.read_into(target), bytes(target)

    assert use(body, path) == (3, 7, b"\nthree\n\0")


def test_reading_at_an_offset_leaves_the_position(use, path):
    def body(file):
        file.read(2)
        return file.read_at(3, 8), file.read_at(100, 12), file.read_at(5, 99), file.tell()

    assert use(body, path) == (b"thr", b"e\n", b"", 2)


def test_read_all_keeps_to_a_limit_and_takes_nothing_beyond_it(use, path):
    def body(file):
        with pytest.raises(LimitExceeded):
            file.read_all(limit=13)
        return file.tell(), file.read_all(limit=14)

    assert use(body, path) == (0, b"one\ntwo\nthree\n")


def test_a_file_that_grows_is_read_on_after_its_end(use, path):
    def body(file):
        first = file.read()
        with path.open("ab") as more:
            more.write(b"four\n")
        return first, file.read_line(), file.read()

    assert use(body, path) == (b"one\ntwo\nthree\n", b"four\n", b"")


# -- writing -----------------------------------------------------------------------------


def test_what_is_written_is_in_the_file_and_the_position_behind_it(use, path):
    def body(file):
        return file.write(b"ONE"), file.write(bytearray(b"+")), file.tell()

    assert use(body, path, "r+b") == (3, 1, 4)
    assert path.read_bytes() == b"ONE+two\nthree\n"


def test_buffers_are_written_as_one(use, path):
    buffers = [b"a", b"", bytearray(b"b"), memoryview(b"cd")] + [b"x"] * 3000

    assert use(lambda file: file.write_buffers(buffers), path, "wb") == 3004
    assert path.read_bytes() == b"abcd" + b"x" * 3000


def test_a_write_after_a_line_goes_where_the_line_ended(use, path):
    def body(file):
        file.read_line()
        file.write(b"TWO")
        return file.read_line(), file.tell()

    assert use(body, path, "r+b") == (b"\n", 8)
    assert path.read_bytes() == b"one\nTWO\nthree\n"


def test_more_than_a_job_writes_is_written_by_several(use, path):
    data = os.urandom((1 << 23) + 4097)

    assert use(lambda file: file.write(data), path, "wb") == len(data)
    assert path.read_bytes() == data


def test_writing_nothing_is_no_work(use, path):
    assert use(lambda file: (file.write(b""), file.write_buffers([])), path, "r+b") == (0, 0)


def test_writing_at_an_offset_leaves_the_position(use, path):
    assert use(lambda file: (file.write_at(b"2", 4), file.tell()), path, "r+b") == (1, 0)
    assert path.read_bytes() == b"one\n2wo\nthree\n"


def test_appending_goes_to_the_end_wherever_that_is_by_now(use, path):
    def body(file):
        start = file.tell()
        file.write(b"4\n")
        with path.open("ab") as other:
            other.write(b"5\n")
        file.seek(0)
        file.write(b"6\n")
        return start, file.tell()

    assert use(body, path, "ab") == (14, 20)
    assert path.read_bytes() == b"one\ntwo\nthree\n4\n5\n6\n"


def test_nothing_is_written_at_an_offset_of_a_file_that_only_grows(use, path):
    def body(file):
        with pytest.raises(OSError, match="only grows") as caught:
            file.write_at(b"x", 0)
        return caught.value.errno

    assert use(body, path, "ab") == errno.EINVAL


def test_a_file_may_have_holes_beyond_four_gigabytes(use, path):
    far = 5 << 30

    def body(file):
        file.seek(far)
        file.write(b"far away")
        return file.tell(), file.seek(-4, os.SEEK_CUR), file.read(), file.stat().st_size

    assert use(body, path, "r+b") == (far + 8, far + 4, b"away", far + 8)


def test_truncating_at_the_position_and_elsewhere(use, path):
    def body(file):
        file.read_line()
        return file.truncate(), file.tell(), file.truncate(6), file.read()

    assert use(body, path, "r+b") == (4, 4, 6, b"\0\0")


def test_flushing_brings_it_to_the_disk(use, path):
    use(lambda file: (file.write(b"x"), file.flush(), file.flush(data_only=True)), path, "wb")


# -- what cannot be ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "act"),
    [
        ("wb", lambda file: file.read()),
        ("wb", lambda file: file.read(1)),
        ("wb", lambda file: file.read_line()),
        ("wb", lambda file: file.read_at(1, 0)),
        ("ab", lambda file: file.read(1)),
        ("rb", lambda file: file.write(b"x")),
        ("rb", lambda file: file.write_buffers([b"x"])),
        ("rb", lambda file: file.write_at(b"x", 0)),
    ],
)
def test_a_file_is_only_used_for_what_it_was_opened_for(use, path, mode, act):
    def body(file):
        with pytest.raises(OSError, match=rf"cannot (read from|write to) '{path}': it was opened"):
            act(file)

    use(body, path, mode)


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda file: file.write("text"), TypeError),
        (lambda file: file.write(None), TypeError),
        (lambda file: file.write_buffers([b"x", "y"]), TypeError),
        (lambda file: file.write(memoryview(b"abcdef")[::2]), TypeError),
        (lambda file: file.read("5"), TypeError),
        (lambda file: file.read_exactly(-1), ValueError),
        (lambda file: file.read_at(-1, 0), ValueError),
        (lambda file: file.read_at(1, -1), ValueError),
        (lambda file: file.write_at(b"x", -1), ValueError),
        (lambda file: file.read_into(b"read only"), (BufferError, TypeError)),
        (lambda file: file.seek(-1), OSError),
        (lambda file: file.seek(0, 7), ValueError),
        (lambda file: file.seek(1 << 70), OverflowError),
        (lambda file: file.truncate(-1), OSError),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(use, path, act, error):
    def body(file):
        file.read(3)
        with pytest.raises(error):
            act(file)
        return file.tell(), file.read()

    assert use(body, path, "r+b") == (3, b"\ntwo\nthree\n")


def test_a_full_disk_is_said_with_the_path(python, tmp_path):
    script = f"""
import resource, signal, trueasync
from trueasync.io.files import open_file
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

def main():
    with open_file({str(tmp_path / "file")!r}, "wb") as file:
        try:
            file.write(bytes(5000))
        except OSError as error:
            print(error.errno, error.filename, file.tell(), file.stat().st_size)
trueasync.run(main)
"""
    result = python(script)

    expected = [str(errno.EFBIG), str(tmp_path / "file"), "1000", "1000"]
    assert result.stdout.split() == expected, result.stderr


# -- its life ---------------------------------------------------------------------------


def test_it_may_outlive_the_run_it_was_opened_in(path):
    file = trueasync.run(open_file, path, "r+b")

    line = trueasync.run(file.read_line)
    rest = trueasync.run(file.read)
    file.close()  # here, where there is no run

    assert (line, rest) == (b"one\n", b"two\nthree\n")


def test_outside_a_run_it_says_where_it_can_be_used(path):
    file = trueasync.run(open_file, path, "wb")

    with pytest.raises(trueasync.UsageError):
        file.write(b"x")
    file.close()


def test_it_says_what_it_is(use, path):
    file = use(lambda file: file, path)

    assert repr(file) == f"<File '{path}', closed>"


def test_ten_thousand_reads_and_writes_leave_nothing_behind(path):
    def main():
        with open_file(path, "r+b") as file:
            for number in range(10_000):
                file.seek(0)
                file.read(3)
                if number % 10 == 0:
                    file.write(b"x")
            return trueasync.stats()["active_events"]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert trueasync.run(main) == 0
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, File)]

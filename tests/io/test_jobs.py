"""Jobs: what is in the caches is had at once, the rest is a thread's; errors name the path."""

import os
import socket
import stat

import pytest

from trueasync.io.jobs import (
    OpenJob,
    ReadJob,
    WriteJob,
    close_job,
    send_job,
    sync_job,
    truncate_job,
)

CREATE = os.O_WRONLY | os.O_CREAT


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"some text")
    return path


@pytest.fixture
def fd(path):
    fd = os.open(path, os.O_RDWR)
    yield fd
    os.close(fd)


def done(job):
    job.perform_here()
    return job.outcome()


# -- opening -----------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [True, False])
def test_an_open_file_is_taken_once_and_tells_what_it_is(path, at_once):
    job = OpenJob(path, os.O_RDONLY, 0)
    if at_once:
        assert job.try_now()
    else:
        job.perform_here()

    fd = job.take()
    text = os.read(fd, 100)
    os.close(fd)

    assert text == b"some text"
    assert stat.S_ISREG(job.kind)
    assert job.length == 9
    with pytest.raises(RuntimeError, match="taken already"):
        job.take()


def test_only_reading_what_is_there_is_tried_at_once(path):
    tried = [OpenJob(path, flags, 0o600).try_now() for flags in (os.O_RDWR, CREATE, os.O_TRUNC)]

    assert tried == [False, False, False]
    assert path.read_bytes() == b"some text"


def test_a_missing_file_is_left_to_the_thread_which_says_so():
    job = OpenJob("/no/such/file", os.O_RDONLY, 0)

    assert not job.try_now()
    with pytest.raises(FileNotFoundError, match="'/no/such/file'"):
        done(job)


@pytest.mark.parametrize("at_once", [True, False])
def test_a_folder_is_not_opened_as_a_file(tmp_path, at_once):
    job = OpenJob(tmp_path, os.O_RDONLY, 0)
    if not at_once or not job.try_now():
        job.perform_here()

    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        job.take()


def test_opening_a_pipe_does_not_wait_for_its_other_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    job = OpenJob(tmp_path / "pipe", os.O_RDONLY, 0)
    done(job)

    assert stat.S_ISFIFO(job.kind)


def test_a_new_file_gets_the_mode_less_the_umask(tmp_path):
    umask = os.umask(0o022)
    try:
        done(OpenJob(tmp_path / "new", CREATE, 0o777))
    finally:
        os.umask(umask)

    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o755


def test_an_open_file_is_not_inherited_by_child_processes(path):
    fd = os.dup(0)
    os.close(fd)
    job = OpenJob(path, os.O_RDONLY, 0)
    done(job)
    fd = job.take()

    assert not os.get_inheritable(fd)
    os.close(fd)


@pytest.mark.parametrize("path", ["with\0null", b"with\0null"])
def test_a_path_with_a_null_byte_is_refused(path):
    with pytest.raises(ValueError, match="null byte"):
        OpenJob(path, os.O_RDONLY, 0)


@pytest.mark.parametrize("path", [None, 1.5, object(), []])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(TypeError):
        OpenJob(path, os.O_RDONLY, 0)


# -- reading -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "offset", "text"),
    [(4, 0, b"some"), (4, 5, b"text"), (100, 5, b"text"), (4, 9, b""), (0, 0, b"")],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_reading_gives_what_is_there(path, fd, at_once, size, offset, text):
    job = ReadJob(path, fd, size, offset)
    if not at_once or not job.try_now():
        job.perform_here()

    assert job.outcome() == text


def test_a_large_read_is_left_to_the_thread(path, fd):
    assert not ReadJob(path, fd, 1 << 20, 0).try_now()


def test_reading_beyond_four_gigabytes(path, fd):
    far = 5 << 30
    os.pwrite(fd, b"far away", far)

    assert done(ReadJob(path, fd, 100, far)) == b"far away"


def test_an_impossible_size_is_a_memory_error(path, fd):
    with pytest.raises(MemoryError):
        ReadJob(path, fd, 1 << 60, 0)
    with pytest.raises(OverflowError):
        ReadJob(path, fd, -1, 0)


def test_a_closed_descriptor_is_an_error_with_the_path(path):
    with pytest.raises(OSError, match=r"Bad file descriptor: .*text"):
        done(ReadJob(path, -1, 10, 0))


# -- writing -----------------------------------------------------------------------------


def test_pieces_are_written_one_after_the_other(path, fd):
    pieces = [b"ab", bytearray(b"cd"), memoryview(b"ef"), b""]

    assert done(WriteJob(path, fd, pieces, 3)) == 6
    assert path.read_bytes() == b"somabcdef"


def test_nothing_is_written_of_nothing(path, fd):
    assert done(WriteJob(path, fd, [], 0)) == 0


def test_more_pieces_than_the_system_takes_are_written_in_part(path, fd):
    assert done(WriteJob(path, fd, [b"xy"] * 3000, 0)) == 2048


def test_without_an_offset_it_is_written_where_the_file_stands(path, fd):
    os.lseek(fd, 5, os.SEEK_SET)

    done(WriteJob(path, fd, [b"T"], -1))
    done(WriteJob(path, fd, [b"E"], -1))

    assert path.read_bytes() == b"some TExt"


@pytest.mark.parametrize("piece", ["text", None, 5, [b"x"]])
def test_what_is_no_bytes_is_refused_and_nothing_stays_locked(path, fd, piece):
    first = bytearray(b"first")

    with pytest.raises(TypeError):
        WriteJob(path, fd, [first, piece], 0)

    first.clear()


def test_a_full_disk_is_an_error_with_the_path():
    fd = os.open("/dev/full", os.O_WRONLY)

    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        done(WriteJob("/dev/full", fd, [b"x"], -1))
    os.close(fd)


# -- the rest ----------------------------------------------------------------------------


def test_closing_closes(path):
    fd = os.open(path, os.O_RDONLY)

    done(close_job(path, fd))

    with pytest.raises(OSError, match=r"Bad file descriptor: .*text"):
        done(close_job(path, fd))


@pytest.mark.parametrize("data_only", [True, False])
def test_flushing_and_its_error(path, fd, data_only):
    done(sync_job(path, fd, data_only))

    reader, writer = os.pipe()
    with pytest.raises(OSError, match="Invalid argument: 'the pipe'"):
        done(sync_job("the pipe", writer, data_only))
    os.close(reader)
    os.close(writer)


def test_truncating_makes_it_shorter_or_longer(path, fd):
    done(truncate_job(path, fd, 4))
    short = path.read_bytes()
    done(truncate_job(path, fd, 6))

    assert (short, path.read_bytes()) == (b"some", b"some\0\0")


def test_a_part_of_a_file_is_sent_to_a_socket(path, fd):
    one, other = socket.socketpair()
    with one, other:
        sent = done(send_job(path, fd, one.fileno(), 5, 100))

        assert (sent, other.recv(100)) == (4, b"text")


def test_sending_to_who_has_gone_is_a_broken_pipe(path, fd):
    one, other = socket.socketpair()
    other.close()

    with one, pytest.raises(BrokenPipeError):
        done(send_job(path, fd, one.fileno(), 0, 100))

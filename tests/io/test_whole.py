"""Whole files: all of a short one in one trip, and the long and the odd only opened."""

import os

import pytest

from trueasync.io.whole import LoadJob, StoreJob

NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def loaded(path, at_once):
    job = LoadJob(path, os.O_RDONLY)
    if not at_once or not job.try_now():
        job.perform_here()
    return job


def stored(path, piece, flags=NEW):
    job = StoreJob(path, flags, 0o666, piece)
    job.perform_here()
    return job


@pytest.fixture(params=[True, False], ids=["at once", "by a thread"])
def at_once(request):
    return request.param


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 262_144, 262_145, 1 << 20])
def test_all_of_a_file_is_loaded(tmp_path, at_once, size):
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)

    assert loaded(tmp_path / "file", at_once).outcome() == data


def test_what_a_thread_has_opened_it_closes_again(tmp_path, at_once):
    (tmp_path / "file").write_bytes(b"text")
    before = os.listdir("/proc/self/fd")

    job = loaded(tmp_path / "file", at_once)

    assert os.listdir("/proc/self/fd") == before
    assert job.outcome() == b"text"


def test_a_short_file_in_the_cache_needs_no_thread(tmp_path):
    (tmp_path / "file").write_bytes(b"text")

    assert LoadJob(tmp_path / "file", os.O_RDONLY).try_now()


def test_a_file_that_says_to_be_empty_and_is_not_is_read_to_its_end(at_once):
    with open("/proc/self/limits", "rb") as file:
        expected = file.read()

    assert loaded("/proc/self/limits", at_once).outcome() == expected


def test_one_that_has_grown_since_it_was_opened_is_read_to_its_end(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    job = LoadJob(path, os.O_RDONLY)
    assert not job.try_now()  # empty, it says; /proc says so too

    path.write_bytes(bytes(100_000))
    job.perform_here()

    assert job.outcome() == bytes(100_000)


def test_a_long_one_is_only_opened_and_closed_if_nobody_takes_it(tmp_path, at_once):
    (tmp_path / "file").write_bytes(bytes((1 << 20) + 1))
    before = os.listdir("/proc/self/fd")
    job = loaded(tmp_path / "file", at_once)

    assert job.outcome() is None
    assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    del job
    assert os.listdir("/proc/self/fd") == before


def test_what_is_no_regular_file_is_only_opened(at_once):
    job = loaded("/dev/null", at_once)

    assert job.outcome() is None
    os.close(job.take())


def test_a_folder_is_no_file(tmp_path, at_once):
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        loaded(tmp_path, at_once).outcome()


def test_a_file_is_stored_and_replaces_another(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"something longer")

    job = stored(path, bytearray(b"new"))

    assert job.outcome() == 3
    assert path.read_bytes() == b"new"


def test_a_file_is_not_stored_where_one_must_not_be(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    with pytest.raises(FileExistsError, match=str(path)):
        stored(path, b"new", NEW & ~os.O_TRUNC | os.O_EXCL).outcome()
    assert path.read_bytes() == b"old"


def test_storing_beyond_the_limit_of_the_system_is_an_error_and_leaves_nothing_open(
    python, tmp_path
):
    script = f"""
import os, resource, signal
from trueasync.io.whole import StoreJob
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
job = StoreJob({str(tmp_path / "file")!r}, {NEW}, 0o666, bytes(5000))
before = os.listdir("/proc/self/fd")
job.perform_here()
try:
    job.outcome()
except OSError as error:
    print(error.errno, error.filename)
assert os.listdir("/proc/self/fd") == before
"""
    result = python(script)

    assert result.stdout.split() == ["27", str(tmp_path / "file")], result.stderr


def test_a_device_is_only_opened(tmp_path):
    job = stored("/dev/null", b"text", os.O_WRONLY)

    assert job.outcome() is None
    os.close(job.take())


def test_what_is_no_bytes_is_refused(tmp_path):
    with pytest.raises(TypeError):
        StoreJob(tmp_path / "file", NEW, 0o666, "text")

    assert not (tmp_path / "file").exists()

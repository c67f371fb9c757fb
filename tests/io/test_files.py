"""Opening by path, and whole files: modes as those of `open`, errors with their path."""

import errno
import io
import os
import stat

import pytest

import trueasync
from trueasync.io.device import Device
from trueasync.io.file import File
from trueasync.io.files import open_file, read_file, write_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"one\ntwo\n")
    return path


MODES = [kind + plus for kind in ("r", "w", "a", "x") for plus in ("", "+")]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("exists", [True, False])
def test_each_mode_does_what_it_does_in_open(run, tmp_path, mode, exists):
    def outcome(opener, name):
        path = tmp_path / name
        if exists:
            path.write_bytes(b"one\ntwo\n")
        try:
            with opener(path, mode + "b") as file:
                found = [file.tell(), file.readable(), file.writable()]
                if file.writable():
                    found.append(file.write(b"ONE"))
                if file.readable():
                    found += [file.read(), file.seek(0), file.read()]
        except OSError as error:
            return type(error)
        return found, path.read_bytes()

    ours = run(outcome, open_file, "ours")

    assert ours == outcome(open, "theirs")


@pytest.mark.parametrize("mode", ["", "b", "rw", "rr", "r+b+", "rbt", "U", "q", "+", "rb "])
def test_what_is_no_mode_is_refused(run, path, mode):
    with pytest.raises(ValueError, match="a mode is one of"):
        run(open_file, path, mode)


def test_an_encoding_is_for_text(run, path):
    def main():
        with pytest.raises(ValueError, match="are for text"):
            open_file(path, "rb", encoding="utf-8")
        with open_file(path, "r", encoding="utf-8") as file:
            return file.read()

    assert run(main) == "one\ntwo\n"


def test_binary_is_a_file_and_text_is_pythons_own(run, path):
    def main():
        with open_file(path, "rb") as file, open_file(path) as text:
            return type(file), type(text)

    assert run(main) == (File, io.TextIOWrapper)


@pytest.mark.parametrize(
    "kind", [str, os.fsencode, lambda path: path], ids=["str", "bytes", "Path"]
)
def test_a_path_is_a_string_bytes_or_a_path(run, path, kind):
    def main():
        with open_file(kind(path), "rb") as file:
            return file.read(3), read_file(kind(path)), write_file(kind(path), b"x"), repr(file)

    assert run(main) == (b"one", b"one\ntwo\n", 1, f"<File {str(path)!r}>")


def test_a_path_that_is_not_there_and_one_that_is_a_folder(run, tmp_path):
    for act in (read_file, lambda path: open_file(path, "rb")):
        with pytest.raises(FileNotFoundError, match=str(tmp_path / "none")):
            run(act, tmp_path / "none")
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            run(act, tmp_path)
    for act in (lambda path: write_file(path, b"x"), lambda path: open_file(path, "wb")):
        with pytest.raises(FileNotFoundError, match="none/file"):
            run(act, tmp_path / "none" / "file")
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            run(act, tmp_path)


@pytest.mark.parametrize("path", [None, 5, 1.5, []])
def test_what_is_no_path_is_refused(run, path):
    for act in (read_file, open_file, lambda path: write_file(path, b"x")):
        with pytest.raises(TypeError):
            run(act, path)


def test_new_files_have_the_permissions_asked_for_less_the_umask(run, tmp_path):
    umask = os.umask(0o027)
    try:

        def main():
            open_file(tmp_path / "secret", "wb", permissions=0o600).close()
            write_file(tmp_path / "usual", b"")

        run(main)
    finally:
        os.umask(umask)

    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("secret", "usual")]
    assert modes == [0o600, 0o640]


def test_no_descriptor_left_is_an_error_and_passes(python, path):
    script = f"""
import os, resource, trueasync

def main():
    trueasync.read_file, trueasync.open_file  # imported while that can be
    held = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard))
    try:
        while True:
            held.append(os.dup(0))
    except OSError:
        pass
    for act in (trueasync.read_file, lambda path: trueasync.open_file(path, "rb")):
        try:
            act({str(path)!r})
        except OSError as error:
            print(error.errno, error.filename)
    os.close(held.pop())
    print(trueasync.read_file({str(path)!r}))
trueasync.run(main)
"""
    result = python(script)

    line = f"{errno.EMFILE} {path}"
    assert result.stdout.splitlines() == [line, line, "b'one\\ntwo\\n'"], result.stderr


# -- whole files -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 262_145, (1 << 20) + 1, 5_000_000])
def test_what_was_written_is_read(run, tmp_path, size):
    data = os.urandom(size)

    def main():
        return write_file(tmp_path / "file", data), read_file(tmp_path / "file")

    assert run(main) == (size, data)


def test_writing_replaces_adds_or_refuses(run, path):
    def main():
        write_file(path, b"new\n")
        write_file(path, memoryview(b"more\n"), "a")
        with pytest.raises(FileExistsError, match=str(path)):
            write_file(path, b"", "x")
        write_file(path.with_name("other"), b"", "x")
        with pytest.raises(ValueError, match="the mode is"):
            write_file(path, b"", "r")

    run(main)
    assert path.read_bytes() == b"new\nmore\n"


@pytest.mark.parametrize("data", ["text", None, 5])
def test_only_bytes_are_written_and_nothing_is_touched_before(run, path, data):
    with pytest.raises(TypeError):
        run(write_file, path, data)

    assert path.read_bytes() == b"one\ntwo\n"


def test_what_only_looks_like_a_file(run):
    with open("/proc/self/status", "rb") as file:
        first = file.readline()

    assert run(read_file, "/proc/self/status").startswith(first)
    assert run(read_file, "/dev/null") == b""
    assert run(write_file, "/dev/null", b"text") == 4
    with pytest.raises(OSError, match="'/dev/full': No space left on device"):
        run(write_file, "/dev/full", b"text")


def test_many_files_are_read_at_the_same_time(run, tmp_path):
    paths = [tmp_path / str(number) for number in range(300)]
    for number, path in enumerate(paths):
        path.write_bytes(b"%d" % number * (number % 50))

    def main():
        readers = [trueasync.spawn(read_file, path) for path in paths]
        return [reader.result() for reader in readers]

    assert run(main) == [path.read_bytes() for path in paths]


def test_a_cancelled_read_of_a_file_leaves_nothing_open(path, seeds):
    def main():
        readers = [trueasync.spawn(open_and_read, path) for _ in range(5)]
        trueasync.suspend()
        for reader in readers:
            reader.cancel()

    def open_and_read(path):
        with open_file(path, "r+b") as file:  # never at once
            file.read()
        read_file("/proc/self/limits")

    for _ in seeds:
        before = len(os.listdir("/proc/self/fd"))
        trueasync.run(main)
        assert len(os.listdir("/proc/self/fd")) == before


def test_opening_is_refused_where_no_coroutine_runs(path):
    with pytest.raises(trueasync.UsageError, match="run"):
        read_file(path)


def test_a_pipe_and_a_device_have_no_position(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")

    def main():
        with open_file(tmp_path / "pipe", "rb") as pipe, open_file("/dev/zero", "rb") as zero:
            return type(pipe), zero.seekable(), zero.read(4)

    assert run(main) == (Device, False, bytes(4))

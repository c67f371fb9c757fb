"""Buffer: Python's own text files, csv, json, pickle and zipfile work on files of ours."""

import csv
import io
import json
import pickle
import shutil
import zipfile

import pytest

import trueasync
from trueasync.io.buffer import Buffer
from trueasync.io.files import open_file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


TEXT = "eins\nzwölf\n\U0001f600 fünf\r\nlast"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
@pytest.mark.parametrize("newline", [None, "", "\n", "\r\n"])
def test_text_is_as_that_of_open(run, tmp_path, encoding, newline):
    options = {"encoding": encoding, "newline": newline, "errors": "replace"}

    def use(opener, path):
        with opener(path, "w", **options) as file:
            file.write(TEXT)
            file.writelines(["a\n", "b\n"])
        with opener(path, "a", **options) as file:
            file.write("more")
        with opener(path, "r+", **options) as file:
            found = [file.readline(), file.tell() > 0, file.readlines(), file.seek(0)]
            found += [file.read(3), file.read(), file.seek(0, io.SEEK_END) > 0]
            file.write("x")
            return found, path.read_bytes()

    ours = run(use, open_file, tmp_path / "ours")

    theirs, data = use(open, tmp_path / "theirs")
    assert ours[0] == theirs
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    assert data is not None


def test_a_long_text_by_lines(run, path):
    lines = [f"{number} " + "x" * (number % 200) + "\n" for number in range(3000)]

    def main():
        with open_file(path, "w") as file:
            file.writelines(lines)
        with open_file(path) as file:
            return list(file)

    assert run(main) == lines


def test_several_coroutines_write_text_and_no_line_is_lost(path, seeds):
    def main():
        with open_file(path, "w") as file:

            def write(writer):
                for number in range(5):
                    file.write(f"{writer}.{number}\n")
                    file.flush()

            for writer in [trueasync.spawn(write, number) for number in range(5)]:
                writer.result()

    for _ in seeds:
        trueasync.run(main)
        assert sorted(path.read_text().split()) == [f"{w}.{n}" for w in range(5) for n in range(5)]


def test_csv_json_and_pickle(run, path):
    rows = [["a", "b"], ["1", "zwei"]]
    value = {"numbers": list(range(1000)), "text": TEXT}

    def main():
        with open_file(path, "w+", newline="") as file:
            csv.writer(file).writerows(rows)
            file.seek(0)
            read = list(csv.reader(file))
        with open_file(path, "w+") as file:
            json.dump(value, file)
            file.seek(0)
            loaded = json.load(file)
        with open_file(path, "w+b") as file:
            pickle.dump(value, file)
            file.seek(0)
            return read, loaded, pickle.load(Buffer(file))

    assert run(main) == (rows, value, value)


def test_zipfile_and_copyfileobj(run, path, tmp_path):
    def main():
        with open_file(path, "w+b") as file:
            with zipfile.ZipFile(Buffer(file), "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("one", "text " * 10_000)
                archive.writestr("two", "more")
            with zipfile.ZipFile(Buffer(file)) as archive:
                names = archive.namelist(), archive.read("one").decode()
            with open_file(tmp_path / "copy", "wb") as copy:
                file.seek(0)
                shutil.copyfileobj(Buffer(file), copy)
        return names

    assert run(main) == (["one", "two"], "text " * 10_000)
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_it_has_all_that_pythons_buffered_files_have(run, path):
    path.write_bytes(b"one\ntwo\nthree")

    def use(file):
        target = bytearray(4)
        found = [file.read(2), file.readinto(target), bytes(target), file.readline(1)]
        found += [file.readline(), file.read1(2), file.readinto1(target), file.read(None)]
        found += [file.seek(0), file.readlines(), file.tell(), file.isatty(), file.mode]
        found += [file.readable(), file.writable(), file.seekable(), file.truncate(4), file.name]
        found += [file.flush(), file.fileno() > 2]
        return found

    def main():
        with Buffer(open_file(path, "r+b")) as file:
            return use(file), file

    ours, file = run(main)

    path.write_bytes(b"one\ntwo\nthree")
    with open(path, "r+b") as theirs:
        expected = use(theirs)
    modes = ["rb+", "r+b"]  # one says it so, the other so
    assert [x for x in ours if x not in modes] == [x for x in expected if x not in modes]
    assert file.closed


def test_what_has_no_position_says_so(run):
    def main():
        with Buffer(open_file("/dev/null", "rb")) as file:
            with pytest.raises(io.UnsupportedOperation, match="has no position"):
                file.seek(0)
            return file.seekable(), file.read()

    assert run(main) == (False, b"")


def test_a_text_file_that_nobody_closed_is_written_and_closed_with_a_warning(run, path):
    def main():
        file = open_file(path, "w")
        file.write("text")
        held = [file]
        del file
        with pytest.warns(ResourceWarning, match="never closed"):
            held.clear()
        return path.read_text()

    assert run(main) == "text"


def test_a_wrong_encoding_leaves_nothing_open(run, path):
    with pytest.raises(LookupError):
        run(lambda: open_file(path, "w", encoding="no such"))

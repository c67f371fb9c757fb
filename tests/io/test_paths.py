"""Paths: each call is the original, in a thread, with its errors."""

import os
import threading

import pytest

import trueasync
from trueasync.io import paths


def test_a_tree_is_made_looked_at_and_removed(tmp_path):
    def main():
        folder = tmp_path / "a" / "b"
        paths.makedirs(folder)
        trueasync.write_file(folder / "file", b"text")
        paths.symlink("file", folder / "link")
        paths.rename(folder / "file", folder / "renamed")
        paths.copyfile(folder / "renamed", folder / "file")
        paths.chmod(folder / "file", 0o600)
        paths.truncate(folder / "file", 2)
        found = (
            sorted(paths.listdir(folder)),
            paths.stat(folder / "renamed").st_size,
            paths.stat(folder / "link").st_size,
            paths.readlink(folder / "link"),
            sorted(entry.name for entry in paths.scandir(folder) if entry.is_symlink()),
            paths.exists(folder / "none"),
        )
        paths.unlink(folder / "renamed")
        paths.rmtree(tmp_path / "a")
        return found, paths.isdir(tmp_path / "a")

    found = (["file", "link", "renamed"], 4, 2, "file", ["link"], False)
    assert trueasync.run(main) == (found, False)


@pytest.mark.parametrize("call", ["stat", "listdir", "scandir", "unlink", "rmdir", "readlink"])
def test_errors_are_those_of_the_original(tmp_path, call):
    missing = tmp_path / "missing"

    with pytest.raises(FileNotFoundError, match=str(missing)) as caught:
        trueasync.run(getattr(paths, call), missing)

    assert caught.value.filename == str(missing) or caught.value.filename == missing


def test_others_go_on_meanwhile(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    def read_it():
        with open(tmp_path / "pipe", "rb") as pipe:  # waits for a writer, in its thread
            return pipe.read()

    def main():
        waiting = trueasync.spawn(paths.by_thread(read_it))
        names = [paths.listdir(tmp_path) for _ in range(3)]
        with trueasync.open_file(tmp_path / "other", "wb") as file:
            file.write(b"x")
        threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"at last")).start()
        return names, waiting.result()

    assert trueasync.run(main) == ([["pipe"]] * 3, b"at last")


def test_every_call_of_the_table_is_public_and_says_that_it_suspends():
    calls = {name for name, item in vars(paths).items() if getattr(item, "__doc__", None)}
    calls = {name for name in calls if "Suspends the coroutine" in vars(paths)[name].__doc__}

    assert calls - {"offload"} == set(paths.__all__)

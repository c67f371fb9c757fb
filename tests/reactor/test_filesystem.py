"""Filesystem: what the system says about files, made into changes that can be relied on."""

import os
import shutil
import threading

from collects import write

# -- single changes ------------------------------------------------------------------------


def test_a_new_file_is_created(collects, root):
    told = collects()

    (root / "new").touch()

    assert told.until(("created", "new"))[0] == ("created", "new")


def test_writing_and_changing_attributes_are_changes(collects, root):
    (root / "file").touch()
    told = collects()

    write(root / "file")
    told.until(("changed", "file"))
    told.changes.clear()
    (root / "file").chmod(0o600)

    assert told.until(("changed", "file")) == [("changed", "file")]


def test_a_removed_file_is_deleted(collects, root):
    (root / "file").touch()
    told = collects()

    (root / "file").unlink()

    assert told.until(("deleted", "file")) == [("deleted", "file")]


def test_a_rename_says_the_old_name_and_the_new_one(collects, root):
    (root / "old").touch()
    told = collects()

    (root / "old").rename(root / "new")

    assert told.until(("renamed", "new")) == [("renamed", "new", "old")]


def test_a_rename_into_another_directory_is_a_rename_too(collects, root):
    (root / "one").mkdir()
    (root / "other").mkdir()
    (root / "one" / "file").touch()
    told = collects()

    (root / "one" / "file").rename(root / "other" / "renamed")

    assert told.until(("renamed", "other/renamed")) == [
        ("renamed", "other/renamed", "one/file"),
    ]


def test_one_that_leaves_the_tree_is_deleted_and_one_that_comes_is_created(
    collects, root, tmp_path
):
    (root / "leaves").touch()
    (tmp_path / "comes").touch()
    told = collects()

    (root / "leaves").rename(tmp_path / "left")
    (tmp_path / "comes").rename(root / "came")

    assert set(told.until(("created", "came"), ("deleted", "leaves"))) == {
        ("created", "came"),
        ("deleted", "leaves"),
    }


def test_a_file_that_is_replaced_by_one_from_elsewhere_is_changed(collects, root, tmp_path):
    (root / "file").touch()
    (tmp_path / "other").touch()
    told = collects()

    (tmp_path / "other").rename(root / "file")

    assert told.until(("changed", "file")) == [("changed", "file")]


def test_names_that_are_no_utf_8_come_as_python_has_them(collects, root):
    name = os.fsdecode(b"caf\xe9")
    told = collects()

    (root / name).touch()

    told.until(("created", name))


def test_a_relative_path_is_meant_as_it_was_when_the_event_was_made(
    reactor, root, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    event = reactor.filesystem("root")
    monkeypatch.chdir("/")

    event.start()
    (root / "file").touch()
    reactor.poll(True)

    assert event.outcome() == [("created", "file", None)]


# -- trees ---------------------------------------------------------------------------------


def test_what_is_below_is_watched_too(collects, root):
    (root / "a" / "b").mkdir(parents=True)
    told = collects()

    (root / "a" / "b" / "file").touch()

    assert told.until(("created", "a/b/file"))[0] == ("created", "a/b/file")


def test_without_recursion_it_is_not(collects, root):
    (root / "sub").mkdir()
    told = collects(recursive=False)

    (root / "sub" / "file").touch()
    (root / "new").mkdir()
    (root / "new" / "file").touch()

    assert told.flush(root / "marker") == [("created", "new")]


def test_a_new_directory_is_watched_and_nothing_in_it_is_lost_or_told_twice(collects, root):
    told = collects()

    for number in range(50):
        deep = root / str(number) / "a" / "b"
        deep.mkdir(parents=True)
        write(deep / "file", "")
        if number % 10 == 0:
            told.reactor.poll(False)

    created = [path for kind, path, *_ in told.flush(root / "marker") if kind == "created"]
    wanted = {f"{n}{below}" for n in range(50) for below in ("", "/a", "/a/b", "/a/b/file")}
    assert sorted(created) == sorted(wanted)


def test_files_that_another_thread_creates_in_new_directories_are_all_found(collects, root):
    told = collects()
    wanted = {f"{n}/{file}" for n in range(100) for file in range(10)}

    def work():
        for directory in range(100):
            (root / str(directory)).mkdir()
            for file in range(10):
                (root / str(directory) / str(file)).touch()

    thread = threading.Thread(target=work)
    thread.start()
    told.until(*(("created", path) for path in wanted))
    thread.join()

    created = [path for kind, path, *_ in told.so_far() if kind == "created"]
    assert len(created) == len(set(created)) == 1100


def test_a_directory_that_comes_with_contents_brings_them(collects, root, tmp_path):
    (tmp_path / "comes" / "sub").mkdir(parents=True)
    (tmp_path / "comes" / "sub" / "file").touch()
    told = collects()

    (tmp_path / "comes").rename(root / "came")
    told.until(("created", "came/sub/file"))
    (root / "came" / "sub" / "later").touch()

    told.until(("created", "came"), ("created", "came/sub"), ("created", "came/sub/later"))


def test_a_directory_that_leaves_takes_its_contents_and_is_watched_no_more(
    collects, root, tmp_path
):
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "sub" / "deep" / "file").touch()
    told = collects()

    (root / "sub").rename(tmp_path / "left")
    gone = told.until(("deleted", "sub"))
    (tmp_path / "left" / "deep" / "later").touch()

    assert gone == [
        ("deleted", "sub/deep/file"),
        ("deleted", "sub/deep"),
        ("deleted", "sub"),
    ]
    assert told.flush(root / "marker") == gone


def test_a_renamed_directory_is_watched_under_its_new_name(collects, root):
    (root / "old" / "sub").mkdir(parents=True)
    told = collects()

    (root / "old").rename(root / "new")
    (root / "new" / "sub" / "file").touch()

    told.until(("renamed", "new"), ("created", "new/sub/file"))


def test_a_removed_tree_is_deleted_file_by_file(collects, root):
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "sub" / "deep" / "file").touch()
    told = collects()

    shutil.rmtree(root / "sub")

    assert told.until(("deleted", "sub")) == [
        ("deleted", "sub/deep/file"),
        ("deleted", "sub/deep"),
        ("deleted", "sub"),
    ]


def test_a_directory_that_is_removed_and_made_again_is_watched_again(collects, root):
    (root / "sub").mkdir()
    told = collects()

    for number in range(20):
        shutil.rmtree(root / "sub")
        (root / "sub").mkdir()
        (root / "sub" / str(number)).touch()
        told.until(("created", f"sub/{number}"))


def test_symbolic_links_are_not_followed(collects, root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    told = collects()

    (outside / "file").touch()
    (root / "later").symlink_to(outside)
    (outside / "another").touch()

    assert told.flush(root / "marker") == [("created", "later")]


def test_a_link_that_is_itself_what_was_asked_for_is_followed(collects, root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    told = collects(tmp_path / "link")

    (root / "file").touch()

    told.until(("created", "file"))


def test_two_trees_that_overlap_both_hear_of_it(collects, root):
    (root / "sub").mkdir()
    whole, part = collects(root), collects(root / "sub")

    (root / "sub" / "file").touch()
    whole.until(("created", "sub/file"))
    part.until(("created", "file"))
    part.event.stop()
    (root / "sub" / "later").touch()

    whole.until(("created", "sub/later"))


# -- one file ------------------------------------------------------------------------------


def test_one_file_is_watched_and_its_neighbours_are_not(collects, root):
    (root / "file").touch()
    told = collects(root / "file")

    (root / "other").touch()
    write(root / "file")

    assert set(told.until(("changed", "file"))) == {("changed", "file")}


def test_one_file_stays_watched_when_it_is_replaced_or_made_again(collects, root):
    (root / "file").touch()
    told = collects(root / "file")

    (root / "draft").touch()
    (root / "draft").rename(root / "file")
    told.until(("changed", "file"))
    (root / "file").unlink()
    told.until(("deleted", "file"))
    (root / "file").touch()

    told.until(("created", "file"))

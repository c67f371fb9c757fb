"""Filesystem: where watching ends, more than the system can tell, and what cannot be watched."""

import errno
import os
import shutil

import pytest
from collects import open_descriptors, write

from trueasync import UsageError
from trueasync.reactor import watches
from trueasync.reactor.reactor import UvReactor

# -- the end -------------------------------------------------------------------------------


@pytest.mark.parametrize("recursive", [True, False])
def test_a_tree_that_is_removed_is_gone(collects, root, recursive):
    (root / "file").touch()
    told = collects(recursive=recursive)

    shutil.rmtree(root)

    assert told.until(("gone", "."))[-2:] == [("deleted", "file"), ("gone", ".")]


def test_a_tree_that_is_moved_away_is_gone(collects, root, tmp_path):
    told = collects()

    root.rename(tmp_path / "elsewhere")

    assert told.until(("gone", ".")) == [("gone", ".")]


@pytest.mark.parametrize("recursive", [True, False])
def test_a_tree_where_a_process_still_stands_is_gone_at_once(
    collects, root, monkeypatch, recursive
):
    monkeypatch.chdir(root)
    told = collects(recursive=recursive)

    root.rmdir()

    assert told.until(("gone", ".")) == [("gone", ".")]


def test_a_tree_whose_neighbour_goes_stays(collects, root):
    (root.parent / "neighbour").mkdir()
    told = collects()

    (root.parent / "neighbour").rmdir()
    (root.parent / "another").touch()

    assert told.flush(root / "marker") == []


def test_what_has_gone_and_come_back_can_be_watched_again(collects, root):
    told = collects()
    root.rmdir()
    told.until(("gone", "."))

    root.mkdir()
    again = collects()
    (root / "file").touch()

    again.until(("created", "file"))


def test_the_watch_ends_with_the_last_stop(reactor, root):
    before = open_descriptors()
    one, other = (reactor.filesystem(root, True) for _ in range(2))

    one.start()
    other.start()
    during = len(open_descriptors() - before)
    one.stop()
    other.stop()

    assert during == 1  # one queue, however many wait
    assert open_descriptors() == before


# -- too much at once ----------------------------------------------------------------------


def test_a_thousand_quick_changes_lose_no_file(collects, root):
    told = collects()
    wanted = {("created", str(number)) for number in range(1000)}

    for number in range(1000):
        write(root / str(number))

    told.until(*wanted)
    assert ("overflow", ".") not in told.so_far()


def queue_size():
    with open("/proc/sys/fs/inotify/max_queued_events") as limit:
        return int(limit.read())


fills_queue = pytest.mark.skipif(
    queue_size() > 50_000, reason="the queue of this system takes too long to fill"
)


def fill_queue(root, count):
    """So many messages about things that are there already."""
    for number in range(count):
        os.utime(root / f"noise {number % 2}")  # in turn, or several would be one


@fills_queue
def test_a_move_whose_second_half_was_lost_is_told_as_what_has_become_of_it(collects, root):
    (root / "moves").mkdir()
    (root / "moves" / "file").touch()
    for number in range(2):
        (root / f"noise {number}").touch()
    told = collects()
    fill_queue(root, queue_size() - 1)

    (root / "moves").rename(root / "moved")

    told.until(("overflow", "."), ("created", "moved/file"))
    assert [change for change in told.so_far() if change[0] != "changed"] == [
        ("deleted", "moves/file"),
        ("deleted", "moves"),
        ("overflow", "."),
        ("created", "moved"),
        ("created", "moved/file"),
    ]


@fills_queue
def test_an_overflow_of_the_systems_queue_is_told_and_made_good(collects, root):
    (root / "sub" / "deep").mkdir(parents=True)
    for name in ("changes", "goes", "sub/goes"):
        write(root / name)
    (root / "replaced").touch()
    for number in range(2):
        (root / f"noise {number}").touch()
    told = collects()
    fill_queue(root, queue_size())

    # Of these the system can tell nothing any more.
    write(root / "changes", "new")
    (root / "goes").unlink()
    (root / "sub" / "goes").unlink()
    (root / "replaced").unlink()
    (root / "replaced" / "by").mkdir(parents=True)
    (root / "new" / "tree").mkdir(parents=True)
    (root / "new" / "tree" / "file").touch()
    told.until(("overflow", "."))

    everything = {path: kind for kind, path in told.so_far()}
    assert everything["changes"] == "changed"
    assert everything["goes"] == everything["sub/goes"] == "deleted"
    assert ("deleted", "replaced") in told.so_far()
    assert everything["replaced/by"] == everything["new/tree/file"] == "created"
    # And what happens now is heard again.
    told.changes.clear()
    (root / "new" / "tree" / "later").touch()
    (root / "replaced" / "by" / "later").touch()
    told.until(("created", "new/tree/later"), ("created", "replaced/by/later"))


# -- errors --------------------------------------------------------------------------------


def test_what_is_not_there_cannot_be_watched(reactor, root):
    event = reactor.filesystem(root / "nowhere")

    with pytest.raises(FileNotFoundError, match="nowhere"):
        event.start()

    assert (event.starts, reactor.active) == (0, 0)


def test_a_path_must_be_text(reactor, root):
    with pytest.raises(TypeError, match="must be text"):
        reactor.filesystem(os.fsencode(root))
    with pytest.raises(TypeError):
        reactor.filesystem(3)


def test_a_closed_reactor_watches_nothing(root):
    reactor = UvReactor()
    reactor.close()

    with pytest.raises(UsageError, match="this reactor is closed"):
        reactor.filesystem(root)


@pytest.fixture
def no_more_watches(monkeypatch):
    """A function after which the system has no watch left for anybody."""
    add = watches.inotify.add_watch

    def refuse(queue, path, mask):
        raise OSError(errno.ENOSPC, "No space left on device", path)

    yield lambda: monkeypatch.setattr(watches.inotify, "add_watch", refuse)
    assert add is not refuse


def test_when_no_watch_is_left_the_start_says_what_to_raise(reactor, root, no_more_watches):
    no_more_watches()

    with pytest.raises(OSError, match=r"raise fs\.inotify\.max_user_watches") as raised:
        reactor.filesystem(root).start()

    assert raised.value.errno == errno.ENOSPC


def test_when_none_is_left_for_a_new_directory_who_waits_is_told(
    collects, reactor, root, no_more_watches
):
    told = collects()
    no_more_watches()

    (root / "file").touch()
    (root / "sub").mkdir()
    while told.error is None:
        reactor.poll(True)

    assert ("created", "file") in told.so_far()
    assert "max_user_watches" in str(told.error)


def test_when_somebody_closes_the_queue_who_waits_is_told(collects, reactor, root):
    before = open_descriptors()
    told = collects()
    (queue,) = open_descriptors() - before

    os.close(int(queue))
    waker = reactor.timer(0.01)
    waker.start()
    while told.error is None:
        reactor.poll(True)

    assert told.error.errno == errno.EBADF

"""FileSystemWatcher: a loop or a select gets what happens to files, and loses nothing."""

import gc
import os
import shutil
import threading

import pytest

import trueasync
from trueasync import Change, ChannelClosed, DeadlockError, UsageError
from trueasync.runtime import run_on
from trueasync.testing import VirtualReactor


def on_a_script(main):
    """Run `main(happen)` in virtual time; `happen(kind, path)` or several is told of /tree."""
    world = VirtualReactor()

    def happen(*changes, error=None):
        told = [Change(*change.split()) for change in changes]
        return world.happen("filesystem", "/tree", told, error)

    return run_on(world, main, (happen,))


def watch(**options):
    return trueasync.FileSystemWatcher("/tree", **options)


def take(watcher, count):
    return [" ".join(next(watcher)[:2]) for _ in range(count)]


def now():
    return trueasync.scheduler.calls.running_scheduler("now").reactor.now()


# -- the real one --------------------------------------------------------------------------


def test_a_loop_gets_what_happens_below_the_path(tmp_path):
    def main():
        with trueasync.FileSystemWatcher(tmp_path, debounce=0.001) as watcher:
            (tmp_path / "sub").mkdir()
            (tmp_path / "sub" / "file").touch()
            return [next(watcher) for _ in range(2)]

    assert trueasync.run(main) == [
        Change("created", "sub"),
        Change("created", os.path.join("sub", "file")),
    ]


def test_the_loop_ends_when_the_tree_has_gone(tmp_path):
    root = tmp_path / "root"
    root.mkdir()

    def main():
        watcher = trueasync.FileSystemWatcher(root)
        loop = trueasync.spawn(list, watcher)
        trueasync.suspend()
        shutil.rmtree(root)
        return loop.result(), watcher.closed

    assert trueasync.run(main) == ([Change("gone", ".")], True)


@pytest.mark.parametrize("debounce", [0, 0.001, 0.05])
def test_a_thousand_quick_changes_lose_no_file_while_the_loop_is_slow(tmp_path, debounce):
    def write():
        for number in range(1000):
            (tmp_path / str(number)).write_text("x")
            if number % 50 == 0:
                trueasync.suspend()

    def main():
        seen = set()
        with trueasync.FileSystemWatcher(tmp_path, debounce=debounce) as watcher:
            trueasync.spawn(write)
            while len(seen) < 1000:
                seen.add(next(watcher).path)
                if len(seen) % 100 == 0:
                    trueasync.suspend()
        return seen

    assert trueasync.run(main) == {str(number) for number in range(1000)}


def test_what_cannot_be_watched_is_said_at_once(tmp_path):
    def main():
        with pytest.raises(FileNotFoundError, match="nowhere"):
            trueasync.FileSystemWatcher(tmp_path / "nowhere")
        with pytest.raises(ValueError, match="debounce must be 0 or more"):
            trueasync.FileSystemWatcher(tmp_path, debounce=-1)
        with pytest.raises(TypeError):
            trueasync.FileSystemWatcher(tmp_path, debounce="soon")
        with pytest.raises(TypeError, match="must be text"):
            trueasync.FileSystemWatcher(os.fsencode(tmp_path))
        with pytest.raises(TypeError):
            trueasync.FileSystemWatcher(None)

    trueasync.run(main)


def test_outside_a_run_it_is_refused(tmp_path):
    with pytest.raises(UsageError, match="run"):
        trueasync.FileSystemWatcher(tmp_path)


def test_it_works_in_the_run_of_another_thread(tmp_path):
    def main():
        with trueasync.FileSystemWatcher(tmp_path, debounce=0) as watcher:
            (tmp_path / "file").touch()
            seen.append(next(watcher))

    seen = []
    thread = threading.Thread(target=trueasync.run, args=[main])
    thread.start()
    thread.join()

    assert seen == [Change("created", "file")]


# -- coalescing ----------------------------------------------------------------------------


def test_what_happens_to_a_path_within_the_debounce_is_one_change():
    def main(happen):
        with watch(debounce=1) as watcher:
            happen("created a", "changed a")
            trueasync.sleep(0.5)
            happen("changed a", "changed b")
            return take(watcher, 2), now()

    assert on_a_script(main) == (["created a", "changed b"], 1.5)


def test_changes_that_keep_coming_are_held_back_for_ten_debounces_at_most():
    def main(happen):
        with watch(debounce=1) as watcher:
            waiter = trueasync.spawn(next, watcher)
            while not waiter.done():
                happen("changed a")
                trueasync.sleep(0.5)
            return now()

    assert on_a_script(main) == 10


def test_without_a_debounce_every_one_is_told_at_once():
    def main(happen):
        with watch(debounce=0) as watcher:
            happen("created a", "changed a")
            happen("changed a", "deleted a")
            return take(watcher, 4), now()

    assert on_a_script(main) == (["created a", "changed a", "changed a", "deleted a"], 0)


def test_what_nobody_has_taken_yet_is_merged_with_what_comes():
    def main(happen):
        with watch(debounce=1) as watcher:
            for _ in range(1000):
                happen("changed log")
                trueasync.sleep(2)
            happen("created other")
            return take(watcher, 2)

    assert on_a_script(main) == ["changed log", "created other"]


def test_renames_keep_their_place():
    def main(happen):
        with watch(debounce=1) as watcher:
            happen("created draft", "renamed file draft", "changed file")
            return take(watcher, 3)

    assert on_a_script(main) == ["created draft", "renamed file", "changed file"]


def test_the_end_of_the_tree_is_not_held_back():
    def main(happen):
        watcher = watch(debounce=1000)
        happen("changed a", "gone .")
        return [change.kind for change in watcher], now()

    assert on_a_script(main) == (["changed", "gone"], 0)


def test_an_error_of_the_system_comes_after_what_was_there():
    def main(happen):
        watcher = watch(debounce=1000)
        happen("changed a")
        happen(error=OSError(28, "no watch is left"))
        first = next(watcher).path
        for _ in range(2):
            with pytest.raises(OSError, match="no watch is left"):
                next(watcher)
        return first

    assert on_a_script(main) == "a"


# -- who gets it ---------------------------------------------------------------------------


def test_each_change_goes_to_one_of_those_who_wait(seeds):
    def main(happen):
        with watch(debounce=0) as watcher:
            takers = [trueasync.spawn(next, watcher) for _ in range(3)]
            trueasync.sleep(1)
            happen("created a", "created b", "created c", "created d")
            taken = [taker.result().path for taker in takers]
            return sorted(taken), next(watcher).path

    for _ in seeds:
        assert on_a_script(main) == (["a", "b", "c"], "d")


def test_one_that_is_cancelled_leaves_the_change_to_the_next(seeds):
    def main(happen):
        with watch(debounce=0) as watcher:
            leaving, staying = (trueasync.spawn(next, watcher) for _ in range(2))
            trueasync.sleep(1)
            leaving.cancel()
            happen("created a")
            return staying.result().path

    for _ in seeds:
        assert on_a_script(main) == "a"


def test_select_waits_for_a_change_beside_other_things():
    def main(happen):
        with watch() as watcher:
            channel = trueasync.Channel()
            chooser = trueasync.spawn(trueasync.select, channel, watcher)
            trueasync.suspend()
            happen("created a")
            return chooser.result()

    assert on_a_script(main) == (1, Change("created", "a"))


def test_watching_alone_is_no_reason_to_go_on(tmp_path):
    def main():
        with trueasync.FileSystemWatcher(tmp_path):
            trueasync.Channel().receive()

    with pytest.raises(DeadlockError):
        trueasync.run(main)


def test_closing_ends_the_loops_and_wakes_a_select_with_an_error():
    def main(happen):
        watcher = watch()
        loop = trueasync.spawn(list, watcher)
        chooser = trueasync.spawn(trueasync.select, watcher)
        trueasync.suspend()
        happen("created a")  # is held back, and then dropped
        watcher.close()
        watcher.close()
        with pytest.raises(ChannelClosed, match="changes below /tree"):
            chooser.result()
        return loop.result()

    assert on_a_script(main) == []


def test_one_that_is_dropped_watches_no_more(tmp_path):
    def main():
        for _ in range(10):
            trueasync.FileSystemWatcher(tmp_path)
        gc.collect()
        trueasync.sleep(0.001)
        reactor = trueasync.scheduler.calls.running_scheduler("test").reactor
        event = reactor.filesystem(tmp_path)
        event.start()
        queues = [fd for fd in os.listdir("/proc/self/fd") if is_queue(fd)]
        event.stop()
        return len(queues), [fd for fd in os.listdir("/proc/self/fd") if is_queue(fd)]

    assert trueasync.run(main) == (1, [])


def is_queue(fd):
    try:
        return "inotify" in os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return False


def test_it_says_what_it_is():
    def main(happen):
        watcher = watch()
        waiter = trueasync.spawn(next, watcher)
        trueasync.suspend()
        said = [repr(watcher), *waiter.waits_for]
        waiter.cancel()
        watcher.close()
        return [*said, repr(watcher)]

    assert on_a_script(main) == [
        "<FileSystemWatcher of /tree>",
        "changes below /tree",
        "<FileSystemWatcher of /tree, closed>",
    ]


UNREADABLE = """
import os, pathlib, tempfile, trueasync

def main(root):
    with trueasync.FileSystemWatcher(root, debounce=0) as watcher:
        (root / "later").mkdir()
        print(*[" ".join(next(watcher)[:2]) for _ in range(2)])
    try:
        trueasync.FileSystemWatcher(root / "hidden")
    except PermissionError as error:
        print(error.filename == str(root / "hidden"))

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    root.chmod(0o777)
    (root / "hidden").mkdir(0)
    trueasync.run(lambda: trueasync.FileSystemWatcher(root).close())  # everything is imported
    user = os.geteuid()
    if user == 0:  # who may read everything
        os.seteuid(65534)
    trueasync.run(main, root)
    os.seteuid(user)
    (root / "hidden").chmod(0o700)
"""


def test_a_directory_that_may_not_be_read_is_told_of(python):
    ran = python(UNREADABLE)

    assert ran.stdout == "unwatched hidden created later\nTrue\n", ran.stderr

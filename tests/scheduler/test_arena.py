"""The arena cache: cheap chunks, few mappings, and the same behaviour with and without it."""

import sys

import pytest

import trueasync

SCENARIO = """
import gc, sys
import trueasync
from trueasync.testing import run

def deep(n):
    return n if n == 0 else deep(n - 1) + 1

def main():
    def body(n):
        trueasync.suspend()
        depth = deep(n % 200)
        trueasync.sleep(n % 7)
        return depth

    for _ in range(3):
        found = [c.result() for c in [trueasync.spawn(body, n) for n in range(2000)]]
        assert found == [n % 200 for n in range(2000)]
    trueasync.sleep(60)
    gc.collect()
    return trueasync.stats()

stats = run(main)
print({key: value for key, value in stats.items() if key.startswith("arena")})
"""


@pytest.mark.parametrize("cache", ["0", "1"], ids=["off", "on"])
@pytest.mark.parametrize("allocator", ["pymalloc", "malloc", "pymalloc_debug"])
def test_a_program_runs_the_same_with_and_without_the_cache(python, cache, allocator):
    ended = python(SCENARIO, TRUEASYNC_ARENA_CACHE=cache, PYTHONMALLOC=allocator)

    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 has no chunks of frames")
def test_the_cache_is_on_by_default_and_one_variable_turns_it_off(python):
    script = (
        "import trueasync\n"
        "def main():\n"
        "    for _ in range(50):\n"
        "        trueasync.spawn(lambda: trueasync.sleep(0.001))\n"
        "    trueasync.suspend()\n"
        "    return trueasync.stats()['arena_chunks_in_use']\n"
        "print(trueasync.run(main))\n"
    )

    on = python(script)
    off = python(script, TRUEASYNC_ARENA_CACHE="0")

    assert int(on.stdout) >= 50
    assert int(off.stdout) == 0


MAPPINGS = """
import trueasync
from trueasync.testing import run

def mappings():
    with open("/proc/self/maps") as file:
        return sum(1 for _ in file)

def main():
    def body(n):
        trueasync.sleep(1 + n % 2)

    before = mappings()
    for n in range(20_000):
        trueasync.spawn(body, n)
    trueasync.sleep(1.5)  # every second one has finished
    assert trueasync.stats()["coroutines"] == 10_001
    most = mappings() - before
    trueasync.sleep(60)
    print(most, mappings() - before)

run(main)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts mappings in /proc")
def test_20_000_coroutines_every_second_one_finished_need_few_mappings(python):
    ended = python(MAPPINGS)

    assert ended.returncode == 0, ended.stderr
    most, afterwards = map(int, ended.stdout.split())
    assert most < 500
    assert afterwards < 500


@pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 has no chunks of frames")
def test_chunks_are_given_back_with_their_contexts_and_used_again():
    from trueasync.testing import run

    def main():
        def burst():
            # A Python function: one in C has no frame, and needs no chunk.
            for _ in range(500):
                trueasync.spawn(lambda: trueasync.sleep(0.001))
            trueasync.sleep(1)

        def chunks():
            stats = trueasync.stats()
            return [stats[f"arena_chunks_{kind}"] for kind in ("in_use", "warm", "cold")]

        before = chunks()
        burst()
        first = chunks()
        trueasync.sleep(3600)
        idle = chunks()
        burst()
        again = chunks()
        return before, first, idle, again

    before, first, idle, again = run(main)
    assert first[0] - before[0] >= 500  # those of idle contexts
    assert idle[0] < first[0] - 400  # most are free
    assert sum(idle) == sum(first)  # and none is lost
    assert sum(again) == sum(first)  # nor another taken


@pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 has no chunks of frames")
def test_after_a_run_no_chunk_is_in_use_that_was_not_before(python):
    ended = python(
        "import trueasync\n"
        "from trueasync.scheduler.arena import arena_stats\n"
        "def main():\n"
        "    for _ in range(1000):\n"
        "        trueasync.spawn(lambda: trueasync.sleep(0.001))\n"
        "trueasync.run(int)\n"
        "before = arena_stats()['arena_chunks_in_use']\n"
        "for _ in range(5):\n"
        "    trueasync.run(main)\n"
        "print(arena_stats()['arena_chunks_in_use'] - before)\n"
    )

    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) == 0


THREADS = """
import threading
import trueasync
from trueasync.testing import run

def deep(n):
    return n if n == 0 else deep(n - 1) + 1

def main():
    def body(n):
        trueasync.suspend()
        return deep(n)
    for c in [trueasync.spawn(body, n) for n in range(300)]:
        c.result()

def thread():
    for _ in range(5):
        run(main)
        deep(500)

threads = [threading.Thread(target=thread) for _ in range(6)]
for t in threads: t.start()
for t in threads: t.join()
print("fine")
"""


def test_threads_share_the_cache(python):
    ended = python(THREADS)

    assert ended.stdout == "fine\n", ended.stderr


FORK = """
import os, sys
import trueasync

def main():
    for c in [trueasync.spawn(trueasync.sleep, 0.001) for _ in range(100)]:
        c.result()
    return "fine"

assert trueasync.run(main) == "fine"
child = os.fork()
if child == 0:
    assert trueasync.run(main) == "fine"
    os._exit(7)
_, status = os.waitpid(child, 0)
assert trueasync.run(main) == "fine"
print(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork")
def test_a_child_of_fork_may_run_too(python):
    ended = python(FORK)

    assert ended.stdout == "7\n", ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_where_addresses_are_scarce_it_goes_on_without_the_cache(python):
    script = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "import trueasync\n"
        "def main():\n"
        "    return sum(c.result() for c in [trueasync.spawn(int, 1) for _ in range(100)])\n"
        "print(trueasync.run(main))\n"
    )

    ended = python(script)

    assert ended.stdout == "100\n", ended.stderr

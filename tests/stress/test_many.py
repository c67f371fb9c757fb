"""Many coroutines: memory, mappings and time stay in proportion. Run by `make stress`."""

import sys

import pytest

pytestmark = [pytest.mark.stress, pytest.mark.timeout(600)]

HALF_FINISHED = """
import trueasync
from trueasync.testing import run

def mappings():
    with open("/proc/self/maps") as file:
        return sum(1 for _ in file)

def main():
    def body(n):
        trueasync.sleep(1 + n % 2)

    for n in range(200_000):
        trueasync.spawn(body, n)
    trueasync.sleep(1.5)
    assert trueasync.stats()["coroutines"] == 100_001
    most = mappings()
    trueasync.sleep(600)
    print(most, mappings(), trueasync.stats()["contexts_idle"])

run(main)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts mappings in /proc")
def test_200_000_coroutines_every_second_one_finished_need_under_2_000_mappings(python):
    ended = python(HALF_FINISHED, timeout=500)

    assert ended.returncode == 0, ended.stderr
    most, afterwards, idle = map(int, ended.stdout.split())
    assert most < 2000
    assert afterwards < 2000
    assert idle <= 16


MEMORY = """
import resource
import trueasync
from trueasync.testing import run

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def main():
    def body(n):
        trueasync.sleep(1)

    def round():
        for n in range(20_000):
            trueasync.spawn(body, n)
        trueasync.sleep(2)

    round()
    round()
    before = resident()
    for _ in range(20):
        round()
    print(resident() - before)

run(main)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_400_000_coroutines_one_after_another_leave_no_memory_behind(python):
    ended = python(MEMORY, timeout=500)

    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) < 8 * 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_runs_one_after_another_leave_no_memory_behind(python):
    ended = python(
        MEMORY.replace("run(main)", "").replace("def main():", "def unused():") + "def small():\n"
        "    trueasync.spawn(trueasync.sleep, 60).cancel()\n"
        "    trueasync.spawn(int).result(timeout=60)\n"
        "for n in range(13_000):\n"
        "    if n == 3000:\n"
        "        before = resident()\n"
        "    trueasync.run(small)\n"
        "print(resident() - before)\n",
        timeout=500,
    )

    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) < 4 * 2**20


def test_a_chain_of_a_million_ends_one_after_another():
    import trueasync
    from trueasync.testing import run

    def main():
        count = 0

        def link(n):
            nonlocal count
            count += 1
            if n:
                trueasync.spawn(link, n - 1)

        trueasync.spawn(link, 999_999)
        trueasync.sleep(1)
        return count, trueasync.stats()["contexts_created"]

    assert run(main) == (1_000_000, 2)


def test_100_000_that_each_wait_for_the_one_before_end_in_a_row():
    import trueasync
    from trueasync.events.event import Event
    from trueasync.scheduler.calls import running_scheduler
    from trueasync.testing import run

    def main():
        first = Event()

        def link(before):
            if before is None:
                running_scheduler("test").wait(first)
                return 0
            return before.result() + 1

        last = None
        for _ in range(100_000):
            last = trueasync.spawn(link, last)
        trueasync.suspend()
        first.fire()
        return last.result()

    assert run(main) == 99_999


def test_100_000_that_are_cancelled_at_once_all_end():
    import trueasync
    from trueasync.testing import run

    def main():
        ended = 0

        def body():
            nonlocal ended
            try:
                trueasync.sleep(3600)
            finally:
                trueasync.sleep(1)
                ended += 1

        coroutines = [trueasync.spawn(body) for _ in range(100_000)]
        trueasync.suspend()
        for coroutine in coroutines:
            coroutine.cancel()
        trueasync.sleep(2)
        return ended, trueasync.stats()["active_events"]

    assert run(main) == (100_000, 0)

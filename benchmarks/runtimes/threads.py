"""Native threads: what a program pays that has no coroutines at all.

There are no 100,000 threads in a process, so they take part in the small scenarios only.
"""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Thread

from benchmarks.folder import Folder, read
from benchmarks.meter import Meter
from benchmarks.programs import COMMAND, Programs
from benchmarks.ring import Ring
from benchmarks.waiting.threads import (  # noqa: F401 - workloads, too
    lock_alone,
    put_items,
)


def run(workload, meter: Meter, **sizes) -> None:
    workload(meter, **sizes)


def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    """A thread cannot yield to another one, so each hands a baton to the next."""
    ring = Ring(meter, coroutines, turns)
    batons = [Lock() for _ in range(coroutines)]
    for baton in batons:
        baton.acquire()
    threads = []
    for place in range(coroutines):
        following = batons[(place + 1) % coroutines]
        arguments = ring, ring.turns[place], batons[place].acquire, following.release
        threads.append(Thread(target=take_turns, args=arguments))
    for thread in threads:
        thread.start()
    batons[0].release()
    for thread in threads:
        thread.join()


def take_turns(ring, turns, wait_for_baton, hand_it_on) -> None:
    wait_for_baton()
    ring.begin()
    for _ in turns:
        hand_it_on()
        wait_for_baton()
    ring.end()
    hand_it_on()


def spawn_join(meter: Meter, batches: int, batch: int) -> None:
    with meter:
        for _ in range(batches):
            threads = [Thread(target=do_nothing) for _ in range(batch)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    meter.count(batches * batch)


def do_nothing() -> None:
    pass


def run_programs(meter: Meter, programs: int, at_once: int) -> None:
    run_program(Programs(1))
    work = Programs(programs)
    threads = [Thread(target=run_program, args=(work,)) for _ in range(at_once)]
    with meter:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    meter.count(work.run)


def run_program(work: Programs) -> None:
    for _ in work.turns:
        done = subprocess.run(COMMAND, stdout=subprocess.PIPE)
        work.said(done.stdout, done.returncode)


def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    with meter, ThreadPoolExecutor() as pool:
        contents = list(pool.map(read, folder.paths))
    folder.report(meter, contents)

"""Native threads: `queue` and `threading`. They have no channel without a buffer, and no pool."""

from __future__ import annotations

from queue import Queue
from threading import Lock, Thread

from benchmarks.meter import Meter


def put_items(meter: Meter, items: int, maxsize: int) -> None:
    queue: Queue = Queue(maxsize)
    getter = Thread(target=get, args=(queue, items))
    with meter:
        getter.start()
        for number in range(items):
            queue.put(number)
        getter.join()
    meter.count(items)


def get(queue, items: int) -> None:
    for _ in range(items):
        queue.get()


def lock_alone(meter: Meter, turns: int) -> None:
    lock = Lock()
    with meter:
        for _ in range(turns):
            with lock:
                pass
    meter.count(turns)

"""gevent: its own queues and events, and the lock that stands for `threading.Lock`.

It has no select over queues: several events are waited for instead, of which one is set.
It has no pool of resources: they lie in a queue, and are taken and put back.
"""

from __future__ import annotations

from gevent import joinall, sleep, spawn, wait
from gevent.event import Event
from gevent.queue import Channel, Queue
from gevent.thread import LockType

from benchmarks.meter import Meter


def send_items(meter: Meter, items: int, capacity: int) -> None:
    put_into(meter, Queue(capacity) if capacity else Channel(), items)


def put_items(meter: Meter, items: int, maxsize: int) -> None:
    put_into(meter, Queue(maxsize), items)


def put_into(meter: Meter, queue, items: int) -> None:
    with meter:
        getter = spawn(get, queue, items)
        for number in range(items):
            queue.put(number)
        getter.join()
    meter.count(items)


def get(queue, items: int) -> None:
    for _ in range(items):
        queue.get()


def lock_alone(meter: Meter, turns: int) -> None:
    lock = LockType()
    with meter:
        for _ in range(turns):
            with lock:
                pass
    meter.count(turns)


def lock_in_turn(meter: Meter, coroutines: int, turns: int) -> None:
    lock = LockType()
    with meter:
        joinall([spawn(hold_and_yield, lock, turns) for _ in range(coroutines)])
    meter.count(coroutines * turns)


def hold_and_yield(lock, turns: int) -> None:
    for _ in range(turns):
        with lock:
            sleep(0)
        sleep(0)


def choose(meter: Meter, items: int, channels: int) -> None:
    events = [Event() for _ in range(channels)]
    taken = Event()
    with meter:
        sender = spawn(set_round, events, taken, items)
        for _ in range(items):
            (event,) = wait(events, count=1)
            event.clear()
            taken.set()
        sender.join()
    meter.count(items)


def set_round(events: list, taken: Event, items: int) -> None:
    for number in range(items):
        events[number % len(events)].set()
        taken.wait()
        taken.clear()


def borrow_in_turn(meter: Meter, coroutines: int, turns: int, resources: int) -> None:
    pool = Queue()
    for _ in range(resources):
        pool.put(object())
    with meter:
        joinall([spawn(borrow_and_yield, pool, turns) for _ in range(coroutines)])
    meter.count(coroutines * turns)


def borrow_and_yield(pool, turns: int) -> None:
    for _ in range(turns):
        resource = pool.get()
        try:
            sleep(0)
        finally:
            pool.put(resource)
        sleep(0)

"""trueasync: locks, queues, channels and pools, through its public functions."""

from __future__ import annotations

from benchmarks.meter import Meter
from trueasync import Channel, Lock, Pool, Queue, select, spawn, stats, suspend


def join(coroutines: list) -> None:
    for coroutine in coroutines:
        coroutine.result()


def send_items(meter: Meter, items: int, capacity: int) -> None:
    channel: Channel[int] = Channel(capacity)
    before = stats()["switches"]
    with meter:
        receiver = spawn(receive, channel, items)
        for number in range(items):
            channel.send(number)
        receiver.result()
    meter.record(switches=(stats()["switches"] - before) / items)
    meter.count(items)


def receive(channel, items: int) -> None:
    for _ in range(items):
        channel.receive()


def put_items(meter: Meter, items: int, maxsize: int) -> None:
    queue: Queue[int] = Queue(maxsize)
    with meter:
        getter = spawn(get, queue, items)
        for number in range(items):
            queue.put(number)
        getter.result()
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


def lock_in_turn(meter: Meter, coroutines: int, turns: int) -> None:
    lock = Lock()
    with meter:
        join([spawn(hold_and_yield, lock, turns) for _ in range(coroutines)])
    meter.count(coroutines * turns)


def hold_and_yield(lock, turns: int) -> None:
    for _ in range(turns):
        with lock:
            suspend()
        suspend()


def choose(meter: Meter, items: int, channels: int) -> None:
    several: list[Channel[int]] = [Channel() for _ in range(channels)]
    with meter:
        sender = spawn(send_round, several, items)
        for _ in range(items):
            select(*several)
        sender.result()
    meter.count(items)


def send_round(channels: list, items: int) -> None:
    for number in range(items):
        channels[number % len(channels)].send(number)


def borrow_in_turn(meter: Meter, coroutines: int, turns: int, resources: int) -> None:
    pool = Pool(object, maximum=resources)
    with meter:
        join([spawn(borrow_and_yield, pool, turns) for _ in range(coroutines)])
    meter.count(coroutines * turns)


def borrow_and_yield(pool, turns: int) -> None:
    for _ in range(turns):
        with pool.acquire():
            suspend()
        suspend()

"""asyncio: its queues and locks; the workloads are uvloop's as well.

It has no rendezvous: where a channel has no buffer, its queue has one place. Over several
queues it waits for several tasks. Resources lie in a queue.
"""

from __future__ import annotations

import asyncio
from asyncio import FIRST_COMPLETED, Lock, Queue, create_task, gather, sleep, wait

from benchmarks.meter import Meter


async def send_items(meter: Meter, items: int, capacity: int) -> None:
    await put_items(meter, items, capacity or 1)


async def put_items(meter: Meter, items: int, maxsize: int) -> None:
    queue: asyncio.Queue = Queue(maxsize)
    with meter:
        getter = create_task(get(queue, items))
        for number in range(items):
            await queue.put(number)
        await getter
    meter.count(items)


async def get(queue, items: int) -> None:
    for _ in range(items):
        await queue.get()


async def lock_alone(meter: Meter, turns: int) -> None:
    lock = Lock()
    with meter:
        for _ in range(turns):
            async with lock:
                pass
    meter.count(turns)


async def lock_in_turn(meter: Meter, coroutines: int, turns: int) -> None:
    lock = Lock()
    with meter:
        await gather(*[create_task(hold_and_yield(lock, turns)) for _ in range(coroutines)])
    meter.count(coroutines * turns)


async def hold_and_yield(lock, turns: int) -> None:
    for _ in range(turns):
        async with lock:
            await sleep(0)
        await sleep(0)


async def choose(meter: Meter, items: int, channels: int) -> None:
    queues: list[asyncio.Queue] = [Queue(1) for _ in range(channels)]
    with meter:
        sender = create_task(put_round(queues, items))
        getting = {create_task(queue.get()): queue for queue in queues}
        received = 0
        while received < items:
            done, _ = await wait(getting, return_when=FIRST_COMPLETED)
            for task in done:
                received += 1
                queue = getting.pop(task)
                getting[create_task(queue.get())] = queue
        await sender
    for task in getting:
        task.cancel()
    meter.count(items)


async def put_round(queues: list, items: int) -> None:
    for number in range(items):
        await queues[number % len(queues)].put(number)


async def borrow_in_turn(meter: Meter, coroutines: int, turns: int, resources: int) -> None:
    pool: asyncio.Queue = Queue()
    for _ in range(resources):
        pool.put_nowait(object())
    with meter:
        await gather(*[create_task(borrow_and_yield(pool, turns)) for _ in range(coroutines)])
    meter.count(coroutines * turns)


async def borrow_and_yield(pool, turns: int) -> None:
    for _ in range(turns):
        resource = await pool.get()
        try:
            await sleep(0)
        finally:
            pool.put_nowait(resource)
        await sleep(0)

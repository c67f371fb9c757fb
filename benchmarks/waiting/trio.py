"""trio: its memory channels, and its lock. It has no select, and no pool."""

from __future__ import annotations

from trio import Lock, open_memory_channel, open_nursery
from trio.lowlevel import checkpoint

from benchmarks.meter import Meter


async def send_items(meter: Meter, items: int, capacity: int) -> None:
    sending, receiving = open_memory_channel(capacity)
    with meter:
        async with open_nursery() as nursery:
            nursery.start_soon(receive, receiving, items)
            for number in range(items):
                await sending.send(number)
    meter.count(items)


async def receive(receiving, items: int) -> None:
    for _ in range(items):
        await receiving.receive()


async def put_items(meter: Meter, items: int, maxsize: int) -> None:
    await send_items(meter, items, maxsize)


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
        async with open_nursery() as nursery:
            for _ in range(coroutines):
                nursery.start_soon(hold_and_yield, lock, turns)
    meter.count(coroutines * turns)


async def hold_and_yield(lock, turns: int) -> None:
    for _ in range(turns):
        async with lock:
            await checkpoint()
        await checkpoint()


async def borrow_in_turn(meter: Meter, coroutines: int, turns: int, resources: int) -> None:
    giving, taking = open_memory_channel(resources)
    for _ in range(resources):
        giving.send_nowait(object())
    with meter:
        async with open_nursery() as nursery:
            for _ in range(coroutines):
                nursery.start_soon(borrow_and_yield, giving, taking, turns)
    meter.count(coroutines * turns)


async def borrow_and_yield(giving, taking, turns: int) -> None:
    for _ in range(turns):
        resource = await taking.receive()
        try:
            await checkpoint()
        finally:
            giving.send_nowait(resource)
        await checkpoint()

"""asyncio, with the event loop that comes with Python.

Its coroutines keep no stack of their own: they are cheaper to start and to keep, and every
function on the way to a wait has to be `async`. The workloads are uvloop's as well.
"""

from __future__ import annotations

import asyncio
import os
import socket
from asyncio import CancelledError, Event, create_task, gather, sleep

from benchmarks.alarms import Alarms, clock
from benchmarks.echo import Load
from benchmarks.folder import Folder, read
from benchmarks.fragments import Fragments
from benchmarks.meter import Meter
from benchmarks.process import resident_bytes
from benchmarks.programs import COMMAND, Programs
from benchmarks.ring import Ring
from benchmarks.tls import TlsLoad
from benchmarks.waiting.asyncio import (  # noqa: F401 - workloads, too
    borrow_in_turn,
    choose,
    lock_alone,
    lock_in_turn,
    put_items,
    send_items,
)


def run(workload, meter: Meter, **sizes) -> None:
    asyncio.run(workload(meter, **sizes))


async def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    ring = Ring(meter, coroutines, turns)
    await gather(*[create_task(take_turns(ring, turns)) for turns in ring.turns])


async def take_turns(ring, turns) -> None:
    await sleep(0)
    ring.begin()
    for _ in turns:
        await sleep(0)
    ring.end()


async def spawn_join(meter: Meter, batches: int, batch: int) -> None:
    with meter:
        for _ in range(batches):
            await gather(*[create_task(do_nothing()) for _ in range(batch)])
    meter.count(batches * batch)


async def do_nothing() -> None:
    pass


async def spawn_wait(meter: Meter, coroutines: int) -> None:
    gate = Event()
    waiting = [create_task(wait_at(gate)) for _ in range(coroutines)]
    # Ready after all tasks, so they wait by then.
    asyncio.get_running_loop().call_soon(gate.set)
    await gather(*waiting)
    meter.count(coroutines)


async def wait_at(gate) -> None:
    await gate.wait()


async def spawn_wait_again(meter: Meter, coroutines: int) -> None:
    await spawn_wait(Meter(), coroutines)
    with meter:
        await spawn_wait(meter, coroutines)


async def sleep_for_long(meter: Meter, coroutines: int) -> None:
    await sleep(0)
    before = resident_bytes()
    sleeping = await spawn_sleeping(coroutines)
    meter.record(rss=resident_bytes() - before)
    meter.count(len(sleeping))
    meter.report_and_exit()


async def spawn_sleeping(coroutines: int) -> list:
    sleeping = [create_task(sleep_an_hour()) for _ in range(coroutines)]
    await sleep(0)
    return sleeping


async def sleep_an_hour() -> None:
    await sleep(3600)


async def sleep_until_due(meter: Meter, coroutines: int, settle: float, spread: float) -> None:
    alarms = Alarms(coroutines, settle, spread)
    with meter:
        sleeping = [create_task(sleep_until(moment, alarms.woken)) for moment in alarms.moments]
        await sleep(0)
        alarms.all_asleep()
        await gather(*sleeping)
    alarms.report(meter)


async def sleep_until(moment: float, woken: list) -> None:
    await sleep(moment - clock())
    woken.append(moment)


async def cancel_all(meter: Meter, coroutines: int) -> None:
    sleeping = await spawn_sleeping(coroutines)
    with meter:
        for task in sleeping:
            task.cancel()
        outcomes = await gather(*sleeping, return_exceptions=True)
    meter.count(sum(1 for outcome in outcomes if isinstance(outcome, CancelledError)))


async def arm_and_cancel(meter: Meter, timers: int, alive: int) -> None:
    call_later = asyncio.get_running_loop().call_later
    with meter:
        for _ in range(timers // alive):
            armed = [call_later(60.0 + place % 97, print) for place in range(alive)]
            for handle in armed:
                handle.cancel()
            await sleep(0)  # the loop drops what was cancelled
    meter.count(timers)


async def end_every_second(meter: Meter, coroutines: int) -> None:
    fragments = Fragments()
    for _ in range(Fragments.BURSTS):
        await burst(fragments, coroutines)
        fragments.all_ended()
    fragments.report(meter)


async def burst(fragments: Fragments, coroutines: int) -> None:
    gates = Event(), Event()
    waiting = [create_task(wait_at(gates[place % 2])) for place in range(coroutines)]
    await sleep(0)
    gates[0].set()
    await gather(*waiting[::2])
    fragments.half_ended()
    gates[1].set()
    await gather(*waiting)


async def run_programs(meter: Meter, programs: int, at_once: int) -> None:
    await run_program(Programs(1))
    work = Programs(programs)
    with meter:
        await gather(*[create_task(run_program(work)) for _ in range(at_once)])
    meter.count(work.run)


async def run_program(work: Programs) -> None:
    for _ in work.turns:
        child = await asyncio.create_subprocess_exec(*COMMAND, stdout=asyncio.subprocess.PIPE)
        output, _ = await child.communicate()
        work.said(output, child.returncode)


async def fill_scopes(meter: Meter, scopes: int, children: int) -> None:
    with meter:
        for _ in range(scopes):
            async with asyncio.TaskGroup() as group:
                for _ in range(children):
                    group.create_task(do_nothing())
    meter.count(scopes * children)


async def use_no_timeout(meter: Meter, timeouts: int) -> None:
    with meter:
        for _ in range(timeouts):
            async with asyncio.timeout(5):
                return_at_once()
    meter.count(timeouts)


def return_at_once() -> None:
    pass


async def echo(meter: Meter, **sizes) -> None:
    await serve(Load(meter, **sizes))


async def serve(load: Load, **options) -> None:
    ended: list = []
    done = Event()

    async def answer(reader, writer) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()
        ended.append(True)
        if len(ended) == load.connections:
            done.set()

    await asyncio.start_server(answer, sock=load.listener, **options)
    load.start()
    await done.wait()
    load.report()


async def tls_echo(meter: Meter, **sizes) -> None:
    load = TlsLoad(meter, **sizes)
    await serve(load, ssl=load.context)


async def unix_ping_pong(meter: Meter, turns: int) -> None:
    one, other = socket.socketpair()
    await ping_pong(
        meter,
        turns,
        await asyncio.open_connection(sock=one),
        await asyncio.open_connection(sock=other),
    )


async def pipe_ping_pong(meter: Meter, turns: int) -> None:
    (from_one, to_other), (from_other, to_one) = os.pipe(), os.pipe()
    here = await open_pipe(from_other), await open_pipe_to(to_other)
    there = await open_pipe(from_one), await open_pipe_to(to_one)
    await ping_pong(meter, turns, here, there)


async def open_pipe(fd: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(fd, "rb")
    )
    return reader


async def open_pipe_to(fd: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    transport, _ = await loop.connect_write_pipe(lambda: protocol, os.fdopen(fd, "wb"))
    return asyncio.StreamWriter(transport, protocol, None, loop)


async def ping_pong(meter: Meter, turns: int, here, there) -> None:
    other = create_task(pong(*there))
    reader, writer = here
    with meter:
        for _ in range(turns):
            writer.write(b"x")
            await writer.drain()
            await reader.read(65536)
    meter.count(turns)
    other.cancel()


async def pong(reader, writer) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


async def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    with meter:
        contents = await gather(*[asyncio.to_thread(read, path) for path in folder.paths])
    folder.report(meter, contents)

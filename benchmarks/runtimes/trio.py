"""trio: structured concurrency on `async`, the model of our scopes.

Its tasks run in batches whose order it shuffles, and a nursery collects no results:
leaving one is what joins its tasks.
"""

from __future__ import annotations

from functools import partial

import trio
from trio import CancelScope, Event, move_on_after, open_nursery, sleep
from trio.lowlevel import checkpoint

from benchmarks.alarms import Alarms, clock
from benchmarks.echo import Load
from benchmarks.folder import Folder
from benchmarks.meter import Meter
from benchmarks.process import resident_bytes
from benchmarks.programs import COMMAND, Programs
from benchmarks.ring import Ring
from benchmarks.waiting.trio import (  # noqa: F401 - workloads, too
    borrow_in_turn,
    lock_alone,
    lock_in_turn,
    put_items,
    send_items,
)


def run(workload, meter: Meter, **sizes) -> None:
    trio.run(partial(workload, meter, **sizes))


async def all_waiting() -> None:
    """Let every task that was just started come to its wait."""
    # After the first checkpoint we may be in the middle of the batch the tasks start in.
    await checkpoint()
    await checkpoint()


async def yield_ring(meter: Meter, coroutines: int, turns: int) -> None:
    ring = Ring(meter, coroutines, turns)
    async with open_nursery() as nursery:
        for own_turns in ring.turns:
            nursery.start_soon(take_turns, ring, own_turns)


async def take_turns(ring, turns) -> None:
    await checkpoint()
    ring.begin()
    for _ in turns:
        await checkpoint()
    ring.end()


async def spawn_join(meter: Meter, batches: int, batch: int) -> None:
    with meter:
        for _ in range(batches):
            async with open_nursery() as nursery:
                for _ in range(batch):
                    nursery.start_soon(do_nothing)
    meter.count(batches * batch)


async def do_nothing() -> None:
    pass


async def spawn_wait(meter: Meter, coroutines: int) -> None:
    gate = Event()
    async with open_nursery() as nursery:
        for _ in range(coroutines):
            nursery.start_soon(wait_at, gate)
        await all_waiting()
        gate.set()
    meter.count(coroutines)


async def wait_at(gate) -> None:
    await gate.wait()


async def spawn_wait_again(meter: Meter, coroutines: int) -> None:
    await spawn_wait(Meter(), coroutines)
    with meter:
        await spawn_wait(meter, coroutines)


async def sleep_for_long(meter: Meter, coroutines: int) -> None:
    await checkpoint()
    before = resident_bytes()
    async with open_nursery() as nursery:
        for _ in range(coroutines):
            nursery.start_soon(sleep, 3600)
        await all_waiting()
        meter.record(rss=resident_bytes() - before)
        meter.count(len(nursery.child_tasks))
        meter.report_and_exit()


async def sleep_until_due(meter: Meter, coroutines: int, settle: float, spread: float) -> None:
    alarms = Alarms(coroutines, settle, spread)
    with meter:
        async with open_nursery() as nursery:
            for moment in alarms.moments:
                nursery.start_soon(sleep_until, moment, alarms.woken)
            await all_waiting()
            alarms.all_asleep()
    alarms.report(meter)


async def sleep_until(moment: float, woken: list) -> None:
    await sleep(moment - clock())
    woken.append(moment)


async def cancel_all(meter: Meter, coroutines: int) -> None:
    # trio cancels scopes, not tasks: each task gets a scope of its own.
    scopes = [CancelScope() for _ in range(coroutines)]
    async with open_nursery() as nursery:
        for scope in scopes:
            nursery.start_soon(sleep_in, scope)
        await all_waiting()
        meter.start()
        for scope in scopes:
            scope.cancel()
    meter.stop()
    meter.count(sum(1 for scope in scopes if scope.cancelled_caught))


async def arm_and_cancel(meter: Meter, timers: int, alive: int) -> None:
    # A deadline belongs to a scope that is entered, and scopes are left in reverse order.
    with meter:
        for _ in range(timers // alive):
            armed = [move_on_after(60.0 + place % 97) for place in range(alive)]
            for scope in armed:
                scope.__enter__()
            for scope in reversed(armed):
                scope.__exit__(None, None, None)
            await checkpoint()
    meter.count(timers)


async def sleep_in(scope: CancelScope) -> None:
    with scope:
        await sleep(3600)


async def run_programs(meter: Meter, programs: int, at_once: int) -> None:
    await run_program(Programs(1))
    work = Programs(programs)
    with meter:
        async with open_nursery() as nursery:
            for _ in range(at_once):
                nursery.start_soon(run_program, work)
    meter.count(work.run)


async def run_program(work: Programs) -> None:
    for _ in work.turns:
        done = await trio.run_process(COMMAND, capture_stdout=True)
        work.said(done.stdout, done.returncode)


async def fill_scopes(meter: Meter, scopes: int, children: int) -> None:
    with meter:
        for _ in range(scopes):
            async with open_nursery() as nursery:
                for _ in range(children):
                    nursery.start_soon(do_nothing)
    meter.count(scopes * children)


async def use_no_timeout(meter: Meter, timeouts: int) -> None:
    with meter:
        for _ in range(timeouts):
            with move_on_after(5):
                return_at_once()
    meter.count(timeouts)


def return_at_once() -> None:
    pass


async def echo(meter: Meter, **sizes) -> None:
    load = Load(meter, **sizes)
    listener = trio.SocketListener(trio.socket.from_stdlib_socket(load.listener))
    load.start()
    async with open_nursery() as nursery:
        for _ in range(load.connections):
            nursery.start_soon(answer, await listener.accept())
    load.report()


async def answer(stream) -> None:
    async with stream:
        while data := await stream.receive_some(65536):
            await stream.send_all(data)


async def unix_ping_pong(meter: Meter, turns: int) -> None:
    one, other = trio.socket.socketpair()
    async with open_nursery() as nursery:
        nursery.start_soon(pong, trio.SocketStream(other))
        stream = trio.SocketStream(one)
        with meter:
            for _ in range(turns):
                await stream.send_all(b"x")
                await stream.receive_some(65536)
        meter.count(turns)
        meter.report_and_exit()


async def pong(stream) -> None:
    while data := await stream.receive_some(65536):
        await stream.send_all(data)


async def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    contents: list[bytes] = [b""] * files
    with meter:
        async with open_nursery() as nursery:
            for number, path in enumerate(folder.paths):
                nursery.start_soon(read_file, contents, number, path)
    folder.report(meter, contents)


async def read_file(contents: list, number: int, path: str) -> None:
    contents[number] = await trio.Path(path).read_bytes()

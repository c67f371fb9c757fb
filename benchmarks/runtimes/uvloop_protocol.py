"""uvloop with callbacks, not coroutines: the fastest that its event loop can do.

A `Protocol` answers in the very callback that brings the data. Nothing waits, so nothing has
to be resumed; and nothing in it may wait.
"""

from __future__ import annotations

import asyncio

import uvloop

from benchmarks.echo import Load
from benchmarks.meter import Meter


def run(workload, meter: Meter, **sizes) -> None:
    uvloop.run(workload(meter, **sizes))


async def echo(meter: Meter, **sizes) -> None:
    load = Load(meter, **sizes)
    loop = asyncio.get_running_loop()
    ended: list = []
    done = asyncio.Event()

    class Answer(asyncio.Protocol):
        def connection_made(self, transport) -> None:
            self.transport = transport

        def data_received(self, data) -> None:
            self.transport.write(data)

        def connection_lost(self, error) -> None:
            ended.append(True)
            if len(ended) == load.connections:
                done.set()

    await loop.create_server(Answer, sock=load.listener)
    load.start()
    await done.wait()
    load.report()

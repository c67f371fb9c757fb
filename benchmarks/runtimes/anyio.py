"""anyio on asyncio: a whole file is one call in a thread, of which there are 40 at most."""

from __future__ import annotations

import anyio

from benchmarks.folder import Folder
from benchmarks.meter import Meter
from benchmarks.runtimes.asyncio import run

__all__ = ["read_files", "run"]


async def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    contents: list[bytes] = [b""] * files
    with meter:
        async with anyio.create_task_group() as group:
            for number, path in enumerate(folder.paths):
                group.start_soon(read_file, contents, number, path)
    folder.report(meter, contents)


async def read_file(contents: list[bytes], number: int, path: str) -> None:
    contents[number] = await anyio.Path(path).read_bytes()

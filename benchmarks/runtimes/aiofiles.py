"""aiofiles on asyncio: each call on a file is a call in one of asyncio's threads."""

from __future__ import annotations

from asyncio import gather

import aiofiles

from benchmarks.folder import Folder
from benchmarks.meter import Meter
from benchmarks.runtimes.asyncio import run

__all__ = ["read_files", "run"]


async def read_files(meter: Meter, files: int) -> None:
    folder = Folder(files)
    with meter:
        contents = await gather(*[read_file(path) for path in folder.paths])
    folder.report(meter, contents)


async def read_file(path: str) -> bytes:
    async with aiofiles.open(path, "rb") as file:
        return await file.read()

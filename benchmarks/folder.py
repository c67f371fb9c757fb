"""The folder of the scenario "small_files": many small files, in the kernel's cache."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from benchmarks.meter import Meter


class Folder:
    """Makes the files, hands out their paths, and counts what was read of them."""

    def __init__(self, files: int) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="trueasync-bench-"))
        self.sizes = [500 + 37 * number % 4096 for number in range(files)]
        self.paths = [str(self.path / str(number)) for number in range(files)]
        for path, size in zip(self.paths, self.sizes, strict=True):
            Path(path).write_bytes(bytes(size))

    def report(self, meter: Meter, contents: list[bytes]) -> None:
        """Count what was read, if it is all there, and clear up."""
        shutil.rmtree(self.path)
        if [len(content) for content in contents] != self.sizes:
            raise ValueError("not every file was read, or not all of it")
        meter.count(len(contents))


def read(path: str) -> bytes:
    """What a thread does for whoever has nothing better."""
    with open(path, "rb") as file:
        return file.read()

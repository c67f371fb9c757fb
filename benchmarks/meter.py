"""The meter of one measurement: clocks, counted operations, and other figures.

Rules of this file:

- `start` and `stop` are cheap when there is nothing to do, because coroutines call them;
- reporting ends the process at once, so that nobody pays for a runtime's teardown.
"""

from __future__ import annotations

import json
import os
import sys
from time import perf_counter, process_time


class Meter:
    """Measures wall and CPU time between `start` and `stop`; several intervals add up."""

    def __init__(self) -> None:
        self.running = False
        self.operations = 0
        self.wall = 0.0
        self.cpu = 0.0
        self.figures: dict[str, float] = {}

    def start(self) -> None:
        """Begin an interval; does nothing while one runs."""
        if not self.running:
            self.running = True
            self.cpu_start = process_time()
            self.wall_start = perf_counter()

    def stop(self) -> None:
        """End the interval; does nothing when none runs."""
        if self.running:
            self.wall += perf_counter() - self.wall_start
            self.cpu += process_time() - self.cpu_start
            self.running = False

    def __enter__(self) -> Meter:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def count(self, operations: int) -> None:
        """Say how many operations were done in the measured intervals."""
        self.operations += operations

    def record(self, **figures: float) -> None:
        """Keep other figures of this measurement, such as `rss`."""
        self.figures.update(figures)

    def report_and_exit(self) -> None:
        """Print everything as one JSON line and end the process, coroutines or not."""
        times = {"wall": self.wall, "cpu": self.cpu, "operations": self.operations}
        print(json.dumps(times | self.figures))
        sys.stdout.flush()
        os._exit(0)

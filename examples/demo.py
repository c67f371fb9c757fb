"""What `make demo` runs: 100,000 coroutines in one thread, each of which waits several times."""

from __future__ import annotations

import argparse
import resource
import sys
import time

import trueasync

WAITS = 5


class Progress:
    """A bar that redraws itself on a terminal, and is silent elsewhere."""

    WIDTH = 40

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.visible = sys.stdout.isatty()

    def advance(self) -> None:
        self.done += 1
        if self.visible and (self.done % (self.total // 200 or 1) == 0 or self.done == self.total):
            filled = self.WIDTH * self.done // self.total
            bar = "█" * filled + "░" * (self.WIDTH - filled)
            end = "\n" if self.done == self.total else ""
            print(f"\r{bar} {self.done:,} of {self.total:,} waits", end=end, flush=True)


def visitor(number: int, progress: Progress) -> int:
    """Ordinary blocking code: it waits, and goes on."""
    for _ in range(WAITS):
        trueasync.sleep(0.01 + number % 100 / 1000)
        progress.advance()
    return number


def memory() -> int:
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def main(count: int) -> None:
    progress = Progress(count * WAITS)
    before = memory()
    started = time.perf_counter()
    visitors = [trueasync.spawn(visitor, number, progress) for number in range(count)]
    trueasync.suspend()  # behind them all: now each of them waits for the first time
    waiting = memory()
    total = sum(one.result() for one in visitors)
    took = time.perf_counter() - started

    assert total == count * (count - 1) // 2
    print(f"{count:,} coroutines ran in one thread, and each waited {WAITS} times.")
    print(f"It took {took:.1f} s, {took / count / WAITS * 1e6:.1f} µs a wait.")
    print(f"Each took {(waiting - before) / count / 1000:.1f} KB of memory while it waited.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    trueasync.run(main, parser.parse_args().count)

"""The time that importing a module takes, over an interpreter that imports nothing."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

from benchmarks.meter import Meter


def measure_import(meter: Meter, module: str, repeats: int) -> None:
    """Start interpreters that import `module` or nothing, in turns, and record the difference."""
    start_interpreter(f"import {module}")  # writes the bytecode and fills the file cache
    differences = []
    for _ in range(repeats):
        bare = start_interpreter("pass")
        differences.append(start_interpreter(f"import {module}") - bare)
    meter.count(repeats)
    meter.record(**{"import": median(differences)})


def start_interpreter(program: str) -> float:
    """The seconds it takes a fresh interpreter to run `program` and end."""
    start = perf_counter()
    # -I: neither the user's environment nor the current folder has a say.
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    return perf_counter() - start

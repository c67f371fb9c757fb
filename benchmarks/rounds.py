"""Measures a scenario on all its runtimes, alternating.

Every round measures each runtime once, in a process of its own. The order rotates from
round to round, so nobody always runs after the same neighbour.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.environment import CHECKOUT
from benchmarks.scenario import Figures, Scenario, Sizes

TIME_LIMIT = 180.0
# Settings that a shell may have, and that would change what is measured.
FOREIGN_SETTINGS = ("PYTHON", "GEVENT", "TRUEASYNC", "MALLOC", "UV_")

# One per round and runtime: the figures, or why there are none.
Round = dict[str, "Figures | str"]


def measure_rounds(
    runtimes: list[str], rounds: int, measure: Callable[[str], Figures | str]
) -> list[Round]:
    """The results of `rounds` rounds; a runtime that failed once is not tried again."""
    results: list[Round] = []
    failed: Round = {}
    for number in range(rounds):
        first = number % len(runtimes)
        result: Round = {}
        for runtime in runtimes[first:] + runtimes[:first]:
            result[runtime] = failed.get(runtime) or measure(runtime)
            if isinstance(result[runtime], str):
                failed[runtime] = result[runtime]
        results.append(result)
    return results


def measure_once(python: Path, scenario: Scenario, runtime: str, sizes: Sizes) -> Figures | str:
    """The figures of one process, or the last thing it said before it failed."""
    worker = [python, "-m", "benchmarks.worker", scenario.name, runtime, json.dumps(sizes)]
    try:
        result = subprocess.run(
            worker,
            cwd=CHECKOUT,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done after {TIME_LIMIT:.0f} s"
    if result.returncode:
        last_words = result.stderr.strip().splitlines() or ["said nothing"]
        return f"exit status {result.returncode}: {last_words[-1].strip()}"
    return json.loads(result.stdout.splitlines()[-1])


def clean_environment() -> dict[str, str]:
    """The environment variables, without those that tune Python or a runtime."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(FOREIGN_SETTINGS)
    }

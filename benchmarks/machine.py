"""What has to be known about a machine and its software to judge numbers measured there."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from benchmarks.environment import CHECKOUT

LIBRARIES = ("gevent", "uvloop", "trio", "greenlet")


def describe_machine(python: Path) -> dict[str, object]:
    """Facts for the results file; `python` is that of the peers' environment."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": ask("git", "-C", CHECKOUT, "rev-parse", "HEAD") or "none",
        "uncommitted": bool(ask("git", "-C", CHECKOUT, "status", "--porcelain")),
        "cpu": processor(),
        "cores": os.cpu_count(),
        "pinned_to": sorted(os.sched_getaffinity(0)),
        "load": os.getloadavg(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {library: version_of(library, python) for library in LIBRARIES},
    }


def processor() -> str:
    """The model name of the CPU."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor()


def version_of(library: str, python: Path) -> str:
    program = f"from importlib.metadata import version; print(version({library!r}))"
    return ask(python, "-I", "-c", program)


def ask(*command: object) -> str:
    """What a program prints, or nothing when it fails."""
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    return "" if result.returncode else result.stdout.strip()


def in_words(machine: dict) -> list[str]:
    """The facts as lines for people."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    uncommitted = " with uncommitted changes" if machine["uncommitted"] else ""
    return [
        f"{machine['date']}, commit {machine['commit'][:12]}{uncommitted}",
        f"{machine['cpu']}, {machine['cores']} cores, on {machine['pinned_to']}, "
        f"load {machine['load'][0]:.2f} at the start",
        f"{machine['system']}, {machine['python']}, {versions}",
    ]

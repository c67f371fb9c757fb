"""The environment of the benchmarks: `.venv-bench` in the checkout, one folder per Python.

Peers are installed there. trueasync is copied there from `src/`, where it was compiled in
place: what is measured is what the checkout holds when the run starts, and a build during
the run changes nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SOURCES = CHECKOUT / "src" / "trueasync"
PEERS = ("gevent", "uvloop", "trio", "aiofiles", "anyio", "greenlet>=3.5.3", "matplotlib")


class NotBuiltError(Exception):
    """trueasync cannot be measured; the message says why."""


def prepare() -> Path:
    """The Python of an environment that has all peers; made on the first call."""
    folder = CHECKOUT / ".venv-bench" / sys.implementation.cache_tag
    python = folder / "bin" / "python"
    installed = folder / "peers.txt"
    if not installed.exists() or installed.read_text().split() != list(PEERS):
        print(f"installing {', '.join(PEERS)} into {folder}", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, *PEERS], check=True)
        installed.write_text("\n".join(PEERS))
    return python


def copy_build(python: Path) -> None:
    """Make `python` import what `src/` holds now; raise NotBuiltError if that cannot be."""
    site_packages = next(python.parent.parent.glob("lib/python*/site-packages"))
    copy = site_packages / SOURCES.name
    shutil.rmtree(copy, ignore_errors=True)
    for header in sorted(SOURCES.glob("**/*.pxd")):
        source = header.with_suffix(".py")
        if source.exists():
            check_compiled(source, header)
    shutil.copytree(SOURCES, copy)
    # From another folder: the checkout itself must not be what makes it importable.
    command = [python, "-I", "-c", "import trueasync"]
    result = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
    if result.returncode:
        raise NotBuiltError(result.stderr.strip().splitlines()[-1])


def check_compiled(source: Path, header: Path) -> None:
    """Raise NotBuiltError unless the compiled module is there and newer than its source."""
    name = source.relative_to(SOURCES.parent)
    # The first suffix names this very Python; the others would fit as well.
    compiled = source.with_suffix(EXTENSION_SUFFIXES[0])
    if not compiled.exists():
        raise NotBuiltError(f"{name} is not compiled for Python {sys.version.split()[0]}")
    if compiled.stat().st_mtime < max(source.stat().st_mtime, header.stat().st_mtime):
        raise NotBuiltError(f"{name} changed after it was compiled")

"""The commands: `trueasync run program.py`, `trueasync run -m module`, `trueasync run -c text`.

`python -m trueasync program.py` is the same as `trueasync run program.py`.
Patching comes before all else: what is imported here stays small.
"""

from __future__ import annotations

import argparse
import sys

from ..runtime import run
from ..stdlib.patching import patch
from . import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

COMMANDS = ("run", "-h", "--help", "--version")


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says. Blocks the thread."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] not in COMMANDS:
        given.insert(0, "run")
    options = parser().parse_args(given)
    options.act(options)


def parser() -> argparse.ArgumentParser:
    from .. import __version__

    top = argparse.ArgumentParser(
        prog="trueasync", description="Ordinary blocking Python, run concurrently."
    )
    top.add_argument("--version", action="version", version=f"trueasync {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    add_run(commands.add_parser("run", help="run a program whose blocking calls wait politely"))
    return top


def add_run(command: argparse.ArgumentParser) -> None:
    command.usage = "trueasync run [options] (program.py | -m module | -c text) [arguments]"
    # Each takes all that follows: it belongs to the program.
    rest = argparse.REMAINDER
    command.add_argument("-m", dest="module", nargs=rest, help="a module, as python -m")
    command.add_argument("-c", dest="text", nargs=rest, help="a program text, as python -c")
    command.add_argument("program", nargs=rest, help="a script, and its arguments")
    command.set_defaults(act=run_program, command=command)


def run_program(options: argparse.Namespace) -> None:
    """Patch, then run the program as the main coroutine."""
    kinds = {
        program.from_module: options.module,
        program.from_text: options.text,
        program.from_path: options.program,
    }
    for make, words in kinds.items():
        if words:
            patch()
            make(words[0], words[1:]).run(run)
            return
    options.command.error("what is to be run? Give a program, -m module or -c text")

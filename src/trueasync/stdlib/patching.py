"""patch, unpatch, patched: what is put where in the standard library, and taken back.

Each module of ours that patches one of the standard library has a function
`replacements()`, which gives (owner, attribute, replacement) for what it changes.
It is called once the module to be patched has been imported, and never imports it itself.
Where it keeps something meanwhile, it has a function `taken_back()`.

What others have taken before (`from time import sleep`) is found in their modules and
replaced there as well; not what stands in a closure, a default or a container.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import contextmanager

from .imports import forget_import, when_imported
from .unbound import Unbound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType
    from typing import Any

__all__ = ["Alone", "is_patched", "patch", "patched", "unpatch"]

# A module of the standard library, or of others, and ours that patches it.
PATCHES: dict[str, str] = {
    "os": "os",
    "select": "select",
    "selectors": "selectors",
    "socket": "socket",
    "ssl": "ssl",
    "subprocess": "subprocess",
    "time": "time",
}
OURS = __name__.partition(".")[0]
MISSING = object()


BUILTIN = type(len)


class Alone:
    """A module as an owner of what stands in others, too, and shall stay there as it is."""

    def __init__(self, module: ModuleType) -> None:
        self.__dict__ = vars(module)


class Change:
    """One attribute that was replaced."""

    def __init__(self, owner: Any, name: str, replacement: Any) -> None:
        self.owner = owner
        self.name = name
        self.original: Any = vars(owner).get(name, MISSING)  # MISSING where it is inherited
        self.replacement = replacement
        if isinstance(self.original, BUILTIN) and not isinstance(replacement, (BUILTIN, type)):
            self.replacement = Unbound(replacement)

    def make(self) -> None:
        setattr(self.owner, self.name, self.replacement)

    def take_back(self) -> None:
        if vars(self.owner).get(self.name, MISSING) is not self.replacement:
            return  # somebody has put another in its place since
        if self.original is MISSING:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self.original)


class Patching:
    """All changes that are in force, for one call of `patch`."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.modules: list[Any] = []  # of ours, that have patched

    def start(self) -> None:
        for name in PATCHES:
            when_imported(name, self.apply)

    def apply(self, module: ModuleType) -> None:
        ours = importlib.import_module(f"{__package__}.{PATCHES[module.__name__]}")
        self.modules.append(ours)
        found: Iterable[tuple[Any, str, object]] = ours.replacements()
        changes = [Change(*each) for each in found]
        for change in changes:
            change.make()
        self.changes.extend(changes)
        rebind({id(change.original): change.replacement for change in copied(changes)})

    def end(self) -> None:
        for name in PATCHES:
            forget_import(name, self.apply)
        for change in reversed(self.changes):
            change.take_back()
        rebind({id(change.replacement): change.original for change in copied(self.changes)})
        for ours in self.modules:
            getattr(ours, "taken_back", int)()


def copied(changes: Iterable[Change]) -> Iterator[Change]:
    """Those whose original others may have taken from the module it stands in."""
    for change in changes:
        if isinstance(change.owner, type(sys)) and change.original not in (MISSING, None):
            yield change


def rebind(replacements: dict[int, object]) -> None:
    """Replace what modules have taken from other modules; ours keep the originals."""
    if not replacements:
        return
    for name, module in list(sys.modules.items()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or name.partition(".")[0] == OURS:
            continue
        for key, value in list(names.items()):
            if id(value) in replacements:
                names[key] = replacements[id(value)]


in_force: list[Patching] = []


def patch() -> None:
    """Make the standard library wait politely inside coroutines, and only there.

    Best called before anything else is imported; twice is once.
    Never suspends. Not for other threads than the main one, and best before there are any.
    """
    if in_force:
        return
    patching = Patching()
    in_force.append(patching)
    try:
        patching.start()
    except BaseException:
        unpatch()
        raise


def unpatch() -> None:
    """Take all of `patch` back. What was made meanwhile (locks, queues) stays as it is.

    Never suspends. Not for other threads than the main one.
    """
    while in_force:
        in_force.pop().end()


@contextmanager
def patched() -> Iterator[None]:
    """`with patched(): ...` patches for a while; nothing is taken back that was there before.

    Never suspends. Not for other threads than the main one, and best before there are any.
    """
    before = is_patched()
    patch()
    try:
        yield
    finally:
        if not before:
            unpatch()


def is_patched() -> bool:
    """Whether `patch` is in force. Never suspends. Safe from any thread."""
    return bool(in_force)

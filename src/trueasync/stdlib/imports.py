"""Doing something when a module has been imported, without importing it for that."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Action = Callable[[ModuleType], object]

__all__ = ["forget_import", "when_imported"]


def when_imported(name: str, action: Action) -> None:
    """Call `action(module)` once the module `name` is there; at once if it is already.

    An error in `action` is one of that import. Never suspends. Safe from any thread.
    """
    module = sys.modules.get(name)
    if module is not None and not being_imported(module):
        action(module)
        return
    pending.setdefault(name, []).append(action)
    if finder not in sys.meta_path:
        sys.meta_path.insert(0, finder)


def forget_import(name: str, action: Action) -> None:
    """Take a `when_imported` back. Never suspends. Safe from any thread."""
    if action in pending.get(name, ()):
        pending[name].remove(action)
        if not pending[name]:
            del pending[name]
    if not pending and finder in sys.meta_path:
        sys.meta_path.remove(finder)


def being_imported(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


class Finder:
    """Stands first among those who find modules, and wraps the loaders of a few."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in pending:
            return None
        for other in sys.meta_path:
            spec = None if other is self else other.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = Loader(spec.loader)  # type: ignore[assignment]
                return spec
        return None


class Loader:
    """The real loader of a module, and the actions that come after it."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)  # get_code, get_source, is_package ...

    def exec_module(self, module: ModuleType) -> None:
        # Given back first: the module may look at its own loader.
        module.__loader__ = self.real
        if module.__spec__ is not None:
            module.__spec__.loader = self.real
        self.real.exec_module(module)
        for action in pending.pop(module.__name__, ()):
            action(module)


pending: dict[str, list[Action]] = {}
finder: Any = Finder()

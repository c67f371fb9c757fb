"""os: what waits there, waits politely inside coroutines."""

from __future__ import annotations

from . import children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def replacements() -> list[tuple[Any, str, object]]:
    """What is put where in `os`. Never suspends."""
    return children.replacements()

"""The deadlock report: nobody can run; say who waits for what."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .coroutine import Coroutine


def report(coroutines: Sequence[Coroutine[Any]]) -> str:
    """Each coroutine with where it was spawned, where it waits, and for what."""
    lines = [f"{len(coroutines)} waiting, and nothing that could wake any of them"]
    for coroutine in coroutines:
        lines.append(f"  {coroutine.name}: spawned at {coroutine.spawn_location}")
        lines.append(f"    waits at {coroutine.suspend_location or '(no Python code)'}")
        lines.extend(f"    for {event}" for event in coroutine.waits_for)
    return "\n".join(lines)

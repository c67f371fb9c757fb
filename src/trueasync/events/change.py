"""Change: what happened to a file or a directory."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Change", "Kind"]

Kind = Literal["created", "changed", "deleted", "renamed", "unwatched", "overflow", "gone"]


class Change(NamedTuple):
    """Something that happened below a watched path. Safe from any thread.

    created, changed (contents or attributes), deleted; renamed: `old_path` has become `path`
    unwatched: `path` is a directory whose contents cannot be watched
    overflow: more has happened than the system could tell; what it was was looked for, and
    what follows is what has been found
    gone: what was watched is not there any more; nothing follows
    """

    kind: Kind
    path: str  # relative to what is watched; "." is that itself
    old_path: str | None = None

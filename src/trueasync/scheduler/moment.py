"""Names for the small numbers the scheduler works with."""

from __future__ import annotations

import enum

__all__ = ["Moment", "Priority"]


class Priority(enum.IntEnum):
    """Where a coroutine joins the ready queue: normal ones at the tail, high ones at the head."""

    NORMAL = 0
    HIGH = 255


class Moment(enum.IntEnum):
    """When a switch handler is called."""

    ENTER = 0
    LEAVE = 1
    FINISH = 2

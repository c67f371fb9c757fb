"""Where in the user's code something happened, as file:line."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

    from .coroutine import Coroutine

# With the separator, so that a neighbour called trueasync_x is not ours.
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def location_of_code(code: CodeType | None, offset: int) -> str:
    """The line that holds the instruction at `offset` bytes."""
    if code is None:
        return "(no Python code)"
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end:
            line = number or line
            break
    return f"{code.co_filename}:{line}"


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame that is not trueasync's own."""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def location_of_frame(frame: FrameType | None) -> str:
    """The line the user's code is at, of a frame at or below it."""
    frame = user_frame(frame)
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def where(coroutine: Coroutine[Any]) -> str:
    """The part of a repr that says where a coroutine comes from and waits."""
    text = f" spawned at {coroutine.spawn_location}"
    waits = coroutine.suspend_location
    return f"{text}, suspended at {waits}" if waits else text

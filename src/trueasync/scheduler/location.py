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


def stack_of_frames(innermost: list[FrameType]) -> list[FrameType]:
    """Every frame of a stack, the outermost first, without trueasync's own.

    `innermost` are those of the stack and of what it was started on. Never suspends.
    """
    frames = []
    for frame in innermost:
        here: FrameType | None = frame
        while here is not None:
            frames.append(here)
            here = here.f_back
    frames.reverse()
    theirs = [frame for frame in frames if not frame.f_code.co_filename.startswith(PACKAGE)]
    return theirs or frames


def traceback_of(coroutine: Coroutine[Any]) -> str:
    """Where a coroutine is, as Python writes tracebacks. Never suspends. Safe from any thread."""
    import traceback

    from .look import look
    from .runs import frame_of_running

    state, _, _, frames, _ = look(coroutine)
    if state == "running":
        frames += filter(None, [frame_of_running(coroutine)])
    if not frames:
        return ""
    stack = ((frame, frame.f_lineno) for frame in stack_of_frames(frames))
    lines = traceback.StackSummary.extract(stack).format()
    frames.clear()  # one's own frame must not keep itself alive
    return f"{coroutine.name}, {state} (most recent call last):\n{''.join(lines)}"


def where(coroutine: Coroutine[Any]) -> str:
    """The part of a repr that says where a coroutine comes from and waits."""
    text = f" spawned at {coroutine.spawn_location}"
    waits = coroutine.suspend_location
    return f"{text}, suspended at {waits}" if waits else text

"""report: who runs and who waits for what, as data; printed, it is a text.

It holds no coroutine and no frame, so it keeps nothing alive and stays what it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .deadlock import find_cycles
from .location import location_of_code, stack_of_frames
from .look import look, look_at_scope, scope_of
from .runs import all_runs, frame_of_thread, name_of_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType

    from ..events.event import Event
    from .coroutine import Coroutine
    from .scheduler import Scheduler

__all__ = ["CoroutineReport", "Frame", "Report", "RunReport", "ScopeReport", "report"]


class Frame(NamedTuple):
    """One call on the stack of a coroutine."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


class CoroutineReport(NamedTuple):
    """A coroutine as it was when the report was made."""

    name: str
    number: int  # how many of its run were spawned before it
    state: str  # new, ready, running, waiting
    spawned_at: str  # file:line
    stack: tuple[Frame, ...]  # the innermost last; empty before it starts
    waits_for: tuple[str, ...]  # in words; the first of these to happen wakes it
    scope: int | None = None  # the place of its scope among those of the run


class ScopeReport(NamedTuple):
    """A scope with coroutines in it, or with scopes that have some."""

    name: str  # empty if it was given none
    made_at: str  # file:line
    cancelled: bool
    owner: int | None  # the number of the coroutine in its `with` statement
    parent: int | None  # without one: the place of the scope it was made in


class RunReport(NamedTuple):
    """One run: its coroutines, the oldest first, and those that wait for each other.

    In a cycle each waits for the next, and the last for the first: none of them can go on.
    """

    thread: str
    phase: str  # running; graceful or hard, while it is shut down
    coroutines: tuple[CoroutineReport, ...]
    cycles: tuple[tuple[CoroutineReport, ...], ...]
    scopes: tuple[ScopeReport, ...] = ()

    def __str__(self) -> str:
        from .words import text_of_run

        return text_of_run(self)


class Report(NamedTuple):
    """Every run of the process, that of the thread which asked first."""

    runs: tuple[RunReport, ...]

    @property
    def coroutines(self) -> list[CoroutineReport]:
        """Those of all runs."""
        return [coroutine for run in self.runs for coroutine in run.coroutines]

    def as_dict(self) -> dict[str, Any]:
        """The same in dicts, lists, texts and numbers, for json; the cycles as numbers.

        Never suspends. Safe from any thread.
        """
        return {"runs": [dict_of_run(run) for run in self.runs]}

    def __str__(self) -> str:
        return "\n".join(map(str, self.runs)) or "no trueasync run is going on in this process"


def report() -> Report:
    """Who runs and who waits for what, in every run of this process; print it to read it.

    Of a run in another thread each coroutine is seen at one moment, but not all at the same.
    Never suspends. Safe from any thread, and from a signal handler.
    """
    return Report(tuple(report_of(run, thread) for thread, run in all_runs()))


def report_of(scheduler: Scheduler, thread: int, everyone_waits: bool = False) -> RunReport:
    """One run. `everyone_waits`: in a deadlock, when all who wait do so in vain."""
    places = Places()
    scopes = Scopes(places)
    running = scheduler.current
    known = {}
    waits = {}
    for one in scheduler.coroutines():
        state, code, offset, frames, events = look(one)
        stack = places.stack_of_thread(thread) if one is running else places.stack(frames)
        if events:
            waits[one] = events
        known[one] = CoroutineReport(
            name_in_words(one),
            one.number,
            state,
            places.line(code, offset),
            stack,
            tuple([event_in_words(event) for event in events]),
            scopes.place(scope_of(one)),
        )
    cycles = [tuple(known[one] for one in found) for found in find_cycles(waits, everyone_waits)]
    phase = scheduler.shutdown.phase
    coroutines = tuple(known.values())
    return RunReport(name_of_thread(thread), phase, coroutines, tuple(cycles), scopes.all())


class Places:
    """Lines and stacks, each made once: most coroutines wait at few places."""

    def __init__(self) -> None:
        self.lines: dict[tuple[int, int], str] = {}
        self.stacks: dict[tuple[int, ...], tuple[Frame, ...]] = {}
        self.codes: dict[int, CodeType | None] = {}  # kept: an id is only theirs while they live

    def line(self, code: CodeType | None, offset: int) -> str:
        # Not by the code itself: its hash reads all that is in it, each time.
        key = (id(code), offset)
        if key not in self.lines:
            self.codes[id(code)] = code
            self.lines[key] = location_of_code(code, offset)
        return self.lines[key]

    def stack(self, innermost: list[FrameType]) -> tuple[Frame, ...]:
        places: list[int] = []
        for frame in innermost:
            here: FrameType | None = frame
            while here is not None:
                places += id(here.f_code), here.f_lasti
                here = here.f_back
        key = tuple(places)
        if key not in self.stacks:
            self.stacks[key] = tuple(map(self.frame, stack_of_frames(innermost)))
        return self.stacks[key]

    def stack_of_thread(self, thread: int) -> tuple[Frame, ...]:
        frames = [frame_of_thread(thread)]
        try:
            return self.stack([frame for frame in frames if frame is not None])
        finally:
            frames.clear()  # one's own frame must not keep itself, and all it knows, alive

    def frame(self, frame: FrameType) -> Frame:
        code = frame.f_code
        self.codes[id(code)] = code
        return Frame(code.co_filename, frame.f_lineno or 0, code.co_name)


class Scopes:
    """The scopes of a run, in the order in which they are met."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.known: dict[object, int] = {}
        self.found: list[object] = []

    def place(self, children: object) -> int | None:
        if children is None:
            return None
        if children not in self.known:
            self.known[children] = len(self.found)
            self.found.append(children)
        return self.known[children]

    def all(self) -> tuple[ScopeReport, ...]:
        reports: list[ScopeReport] = []
        for children in self.found:  # each may add the one it is held by
            name, code, offset, cancelled, owner, parent = look_at_scope(children)
            made_at = self.places.line(code, offset)
            number = None if owner is None else owner.number
            place = self.place(parent)
            reports.append(ScopeReport(str(name or ""), made_at, cancelled, number, place))
        return tuple(reports)


def event_in_words(event: Event) -> str:
    try:
        return event.info()
    except Exception as error:  # an event of the user's; the report is about all the others too
        return f"{type(event).__name__} (its info() failed: {error!r})"


def name_in_words(coroutine: Coroutine[Any]) -> str:
    try:
        return coroutine.name
    except Exception as error:  # the repr of a callable without a name
        return f"a coroutine (its name failed: {error!r})"


def dict_of_run(run: RunReport) -> dict[str, Any]:
    coroutines = [
        {**one._asdict(), "stack": [frame._asdict() for frame in one.stack]}
        for one in run.coroutines
    ]
    cycles = [[one.number for one in cycle] for cycle in run.cycles]
    scopes = [scope._asdict() for scope in run.scopes]
    return {**run._asdict(), "coroutines": coroutines, "cycles": cycles, "scopes": scopes}

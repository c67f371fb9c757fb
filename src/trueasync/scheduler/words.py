"""A report as text. Coroutines that were spawned, wait and look alike are one line: a hundred
thousand of them are still read at a glance.
"""

from __future__ import annotations

import os

from .report import CoroutineReport, ScopeReport
from .tree import groups_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .report import Frame, RunReport
    from .tree import Group

    Cycle = Sequence[CoroutineReport]

MOST_GROUPS = 200
DEEPEST = 12  # steps of indentation
MOST_IN_A_CYCLE = 10
MOST_FRAMES = 20
LONGEST_NAME = 100
DOES = {"new": "not begun", "ready": "goes on at", "running": "runs at", "waiting": "waits at"}


def text_of_run(run: RunReport) -> str:
    """All of a run. Never suspends."""
    counts = [f"{number:,} {state}" for state, number in count_states(run.coroutines).items()]
    phase = "" if run.phase == "running" else f", in the {run.phase} phase of its shutdown"
    title = f"run in {run.thread}{phase}: {', '.join(counts) or 'no coroutines'}"
    return "\n".join([title, *lines_of_cycles(run.cycles), *lines_of_tree(run)])


def text_of_deadlock(run: RunReport) -> str:
    """Why nothing moves any more. Never suspends."""
    title = f"{len(run.coroutines)} waiting, and nothing that could wake any of them"
    return "\n".join([title, *lines_of_cycles(run.cycles), *lines_of_tree(run)])


def count_states(coroutines: Iterable[CoroutineReport]) -> dict[str, int]:
    counts = dict.fromkeys(("running", "ready", "new", "waiting"), 0)
    for one in coroutines:
        counts[one.state] = counts.get(one.state, 0) + 1
    return {state: number for state, number in counts.items() if number}


# -- cycles ---------------------------------------------------------------------------------


def lines_of_cycles(cycles: Sequence[Cycle]) -> Iterable[str]:
    for cycle in cycles[:MOST_GROUPS]:
        yield f"  a cycle: {', '.join(links(cycle))}"
    if len(cycles) > MOST_GROUPS:
        yield f"  ... and {len(cycles) - MOST_GROUPS:,} more cycles"


def links(cycle: Cycle) -> Iterable[str]:
    """ "a waits for b" for each of them; of a long cycle its beginning and its end."""
    for place, (one, following) in enumerate(zip(cycle, [*cycle[1:], cycle[0]], strict=True)):
        if place < MOST_IN_A_CYCLE or place == len(cycle) - 1:
            yield f"{short(one.name)} waits for {short(following.name)}"
        elif place == MOST_IN_A_CYCLE:
            yield f"... {len(cycle) - MOST_IN_A_CYCLE - 1:,} more ..."


# -- groups ---------------------------------------------------------------------------------


def lines_of_tree(run: RunReport) -> Iterable[str]:
    groups = list(groups_of(run))
    for depth, group in groups[:MOST_GROUPS]:
        margin = "  " * min(depth + 1, DEEPEST)
        for line in lines_of_group(group):
            yield margin + line
    if len(groups) > MOST_GROUPS:
        rest = sum(len(group) for _, group in groups[MOST_GROUPS:])
        yield f"  ... and {rest:,} more, in {len(groups) - MOST_GROUPS:,} groups"


def lines_of_group(group: Group) -> Iterable[str]:
    count = f"{len(group):,} x " if len(group) > 1 else ""
    name = short(common([each.name for each in group]))
    first = group[0]
    if isinstance(first, ScopeReport):
        cancelled = ", cancelled" if first.cancelled else ""
        yield f"{count}scope{' ' if name else ''}{name} at {first.made_at}{cancelled}"
        return
    yield f"{count}{name}: spawned at {first.spawned_at}"
    yield from lines_of_stack(first)
    waits = [each.waits_for for each in group if isinstance(each, CoroutineReport)]
    for texts in zip(*waits, strict=False):
        yield f"  for {common(texts)}"


def lines_of_stack(one: CoroutineReport) -> Iterable[str]:
    does = DOES.get(one.state, one.state)
    if one.state == "new":
        yield f"  {does}"
        return
    if not one.stack:
        yield f"  {does} (no Python code)"
        return
    innermost: list[Frame] = list(reversed(one.stack))
    yield f"  {does} {innermost[0]}"
    for frame in innermost[1:MOST_FRAMES]:
        yield f"    called at {frame}"
    if len(innermost) > MOST_FRAMES:
        yield f"    ... and {len(innermost) - MOST_FRAMES:,} more calls"


def common(texts: Sequence[str]) -> str:
    """What they have in common, with … for where they differ: `a timer of … s`."""
    first, last = min(texts), max(texts)
    if first == last:
        return first
    # What the smallest and the largest begin with, all do.
    head = beginning(first, last)
    backwards = [text[::-1] for text in texts]
    room = min(map(len, texts)) - len(head)
    tail = beginning(min(backwards), max(backwards))[:room][::-1]
    return f"{head.rstrip('0123456789.')}…{tail.lstrip('0123456789.')}"


def beginning(one: str, other: str) -> str:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return one[:place]
    return one[: len(other)]


def short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def to_stderr(text: str) -> None:
    """Write it past sys.stderr, whose buffer and lock belong to the program. Never suspends."""
    left = text.encode(errors="backslashreplace")
    try:
        while left:
            left = left[os.write(2, left) :]
    except OSError:
        pass  # nobody reads it: there is nobody to tell, and the program goes on

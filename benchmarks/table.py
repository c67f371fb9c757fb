"""The results for people, as plain text."""

from __future__ import annotations

from benchmarks.summary import OURS, Row, Spread, Summary, Verdict

HEADINGS = ("runtime", "cost", "least..most", "ratio", "least..most", "target", "")


def as_table(summary: Summary) -> str:
    """One scenario: what it is, a line per runtime, a line per limit."""
    scenario = summary.scenario
    lines = [f"{scenario.name}: {scenario.sentence}", f"  cost in {scenario.unit}"]
    rows = [HEADINGS, *[cells_of(row) for row in summary.rows]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines += ["  " + "  ".join(map(aligned, row, widths, HEADINGS)).rstrip() for row in rows]
    # What went wrong has no columns.
    lines += [f"  {row.runtime}: {row.failure}" for row in summary.rows if row.failure]
    if scenario.other_sizes:
        lines.append(f"  not of the same size: {', '.join(scenario.other_sizes)}")
    lines += [limit_line(limit) for limit in summary.limits]
    return "\n".join(lines)


def aligned(cell: str, width: int, heading: str) -> str:
    """Words to the left, numbers to the right."""
    return cell.ljust(width) if heading in ("runtime", "") else cell.rjust(width)


def cells_of(row: Row) -> tuple[str, ...]:
    if row.failure:
        return (row.runtime, row.failure.partition(":")[0], "", "", "", "", "")
    if row.ratio is None:
        base = "1" if row.runtime == OURS else ""
        return (row.runtime, *spread_cells(row.cost), base, "", "", "")
    target = f">= {row.verdict.bound:.3g}" if row.verdict else ""
    verdict = row.verdict.in_words() if row.verdict else ""
    return (row.runtime, *spread_cells(row.cost), *spread_cells(row.ratio), target, verdict)


def spread_cells(spread: Spread) -> tuple[str, str]:
    return number(spread.median), f"{number(spread.least)}..{number(spread.most)}"


def limit_line(limit: Verdict) -> str:
    name = limit.about.replace("_", " ")
    measured = f"{number(limit.measured.median)}, at most {number(limit.bound)} allowed"
    return f"  {OURS}'s {name}: {measured}: {limit.in_words()}"


def number(value: float) -> str:
    """Three digits that say something."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"

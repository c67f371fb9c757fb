"""Draws a results file: `python -m benchmarks.chart RESULTS.json CHART.svg`.

It runs in the peers' environment, because that has matplotlib.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

from benchmarks.summary import OURS
from benchmarks.table import number

COLUMNS = 2
OUR_COLOUR, PEER_COLOUR = "#d1495b", "#8d99ae"


def draw(results: dict, target: Path) -> None:
    """One panel per scenario, one bar per runtime; the whiskers are the spread."""
    scenarios = results["scenarios"]
    lines = -(-len(scenarios) // COLUMNS)
    figure, grid = pyplot.subplots(lines, COLUMNS, figsize=(13, 2.6 * lines), squeeze=False)
    panels = list(grid.flat)
    for panel, scenario in zip(panels, scenarios, strict=False):
        draw_panel(panel, scenario)
    for unused in panels[len(scenarios) :]:
        unused.set_visible(False)
    figure.suptitle("\n".join(results["machine_in_words"]), fontsize=8, color="#555555")
    figure.tight_layout(rect=(0, 0, 1, 0.99))
    figure.savefig(target)


def draw_panel(panel, scenario: dict) -> None:
    rows = [row for row in scenario["summary"]["rows"] if row["cost"]]
    panel.set_title(f"{scenario['name']}: {scenario['unit']}", loc="left", fontsize=10)
    panel.spines[["top", "right"]].set_visible(False)
    panel.tick_params(labelsize=8)
    if not rows:
        return
    medians = [row["cost"]["median"] for row in rows]
    panel.barh(
        [row["runtime"] for row in rows],
        medians,
        xerr=whiskers(rows),
        color=[OUR_COLOUR if row["runtime"] == OURS else PEER_COLOUR for row in rows],
        error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
    )
    for place, row in enumerate(rows):
        panel.annotate(
            label(row),
            (row["cost"]["most"], place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    panel.set_xlim(0, max(row["cost"]["most"] for row in rows) * 1.25)
    panel.invert_yaxis()


def whiskers(rows: list[dict]) -> list[list[float]]:
    below = [row["cost"]["median"] - row["cost"]["least"] for row in rows]
    above = [row["cost"]["most"] - row["cost"]["median"] for row in rows]
    return [below, above]


def label(row: dict) -> str:
    """The cost, and how often ours goes into it."""
    cost = number(row["cost"]["median"])
    return f"{cost}  ({number(row['ratio']['median'])}x)" if row["ratio"] else cost


if __name__ == "__main__":
    source, chart = map(Path, sys.argv[1:])
    draw(json.loads(source.read_text()), chart)

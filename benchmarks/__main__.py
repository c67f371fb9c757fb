"""The command `python -m benchmarks`; README.md says how to use it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks import machine, scenarios
from benchmarks.environment import CHECKOUT, NotBuiltError, copy_build, prepare
from benchmarks.rounds import Round, measure_once, measure_rounds
from benchmarks.scenario import Scenario
from benchmarks.summary import OURS, Summary, summarize
from benchmarks.table import as_table

RESULTS = Path(__file__).parent / "results"


def main() -> int:
    options = parse_options()
    if options.list:
        for name in scenarios.NAMES:
            print(f"{name:16} {scenarios.load(name).sentence}")
        return 0
    chosen = [scenarios.load(name) for name in options.names or scenarios.NAMES]
    if options.pin is not None:
        os.sched_setaffinity(0, {options.pin})  # the workers inherit it
    python = prepare()
    facts = machine.describe_machine(python)
    print("\n".join(machine.in_words(facts)), end="\n\n")
    not_built = reason_not_built(python)
    measured = [measure_and_print(scenario, python, options, not_built) for scenario in chosen]
    save(facts, measured, python, options)
    return conclude([summary for _, summary in measured])


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all by default")
    parser.add_argument("--json", type=Path, default=RESULTS / "latest.json", metavar="FILE")
    parser.add_argument("--chart", type=Path, default=RESULTS / "latest.svg", metavar="FILE")
    parser.add_argument("--rounds", type=int, metavar="N", help="instead of each scenario's own")
    parser.add_argument("--quick", action="store_true", help="small sizes; for trying things out")
    parser.add_argument("--pin", type=int, metavar="CPU", help="run everything on this CPU")
    parser.add_argument("--list", action="store_true", help="say what there is, and end")
    return parser.parse_args()


def measure_and_print(
    scenario: Scenario, python: Path, options: argparse.Namespace, not_built: str
) -> tuple[list[Round], Summary]:
    rounds = options.rounds or (1 if options.quick else scenario.rounds)

    def measure(runtime: str):
        if runtime == OURS and not_built:
            return not_built
        print(f"\r{scenario.name}: {runtime:12}", end="", file=sys.stderr, flush=True)
        return measure_once(python, scenario, runtime, scenario.sizes_for(runtime, options.quick))

    results = measure_rounds(list(scenario.runtimes), rounds, measure)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    summary = summarize(scenario, results)
    print(as_table(summary), end="\n\n", flush=True)
    return results, summary


def reason_not_built(python: Path) -> str:
    """Why trueasync takes no part; nothing when it does."""
    try:
        copy_build(python)
    except NotBuiltError as error:
        return f"not built: {error}"
    return ""


def save(
    facts: dict,
    measured: list[tuple[list[Round], Summary]],
    python: Path,
    options: argparse.Namespace,
) -> None:
    """Write the results file, and the chart from it."""
    results = {
        "machine": facts,
        "machine_in_words": machine.in_words(facts),
        "quick": options.quick,
        "scenarios": [scenario_as_json(rounds, summary) for rounds, summary in measured],
    }
    for file in (options.json, options.chart):
        file.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(results, indent=1))
    source, chart = options.json.resolve(), options.chart.resolve()
    subprocess.run([python, "-m", "benchmarks.chart", source, chart], cwd=CHECKOUT, check=True)
    print(f"results in {options.json}, chart in {options.chart}")


def scenario_as_json(rounds: list[Round], summary: Summary) -> dict:
    scenario = summary.scenario
    return {
        "name": scenario.name,
        "sentence": scenario.sentence,
        "unit": scenario.unit,
        "sizes": scenario.sizes,
        "other_sizes": scenario.other_sizes,
        "rounds": rounds,
        "summary": summary.as_json(),
    }


def conclude(summaries: list[Summary]) -> int:
    """Say how many promises are kept; the exit status is 0 when all are."""
    verdicts = [verdict for summary in summaries for verdict in summary.verdicts]
    met = sum(1 for verdict in verdicts if verdict.met)
    missed = len(verdicts) - met
    unchecked = sum(summary.unchecked for summary in summaries)
    print(f"targets and limits: {met} met, {missed} missed, {unchecked} not checked")
    return 1 if missed or unchecked else 0


if __name__ == "__main__":
    sys.exit(main())

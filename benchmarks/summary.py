"""What the rounds of a scenario come to: costs, ratios, and whether they meet the targets.

A ratio is taken within a round and only then summed up over the rounds. What slows the
machine down for a while slows both sides of a ratio down.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median

from benchmarks.rounds import Round
from benchmarks.scenario import Scenario

OURS = "trueasync"


@dataclass(frozen=True)
class Spread:
    """Several measurements of one thing."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True)
class Verdict:
    """One promise: at least a ratio to a peer, or at most a figure."""

    about: str
    bound: float
    measured: Spread
    met: bool
    always: bool  # did every round agree?

    def in_words(self) -> str:
        """Such as "met", or "MISSED, though not in every round"."""
        if self.met:
            return "met" if self.always else "met, though not in every round"
        return "MISSED" if self.always else "MISSED, though not in every round"


@dataclass(frozen=True)
class Row:
    """One runtime in one scenario."""

    runtime: str
    cost: Spread | None = None
    ratio: Spread | None = None
    verdict: Verdict | None = None
    failure: str = ""


@dataclass(frozen=True)
class Summary:
    """One scenario: a row per runtime, and the limits on our own figures."""

    scenario: Scenario
    rows: list[Row]
    limits: list[Verdict]

    @property
    def verdicts(self) -> list[Verdict]:
        """All promises of the scenario that could be checked."""
        return [row.verdict for row in self.rows if row.verdict] + self.limits

    @property
    def unchecked(self) -> int:
        """How many promises could not be checked, because something failed."""
        return len(self.scenario.targets) + len(self.scenario.limits) - len(self.verdicts)

    def as_json(self) -> dict[str, object]:
        rows = [asdict(row) for row in self.rows]
        return {"rows": rows, "limits": [asdict(limit) for limit in self.limits]}


def summarize(scenario: Scenario, rounds: list[Round]) -> Summary:
    rows = [summarize_runtime(scenario, runtime, rounds) for runtime in scenario.runtimes]
    if failure_of(OURS, rounds):
        return Summary(scenario, rows, limits=[])
    limits = [
        judge(name, bound, figures_of(scenario, OURS, name, rounds), at_least=False)
        for name, bound in scenario.limits.items()
    ]
    return Summary(scenario, rows, limits)


def summarize_runtime(scenario: Scenario, runtime: str, rounds: list[Round]) -> Row:
    if failure := failure_of(runtime, rounds):
        return Row(runtime, failure=failure)
    costs = figures_of(scenario, runtime, "cost", rounds)
    if runtime == OURS or failure_of(OURS, rounds):
        return Row(runtime, Spread.of(costs))
    ours = figures_of(scenario, OURS, "cost", rounds)
    ratios = [their / our for their, our in zip(costs, ours, strict=True)]
    target = scenario.targets.get(runtime)
    verdict = judge(runtime, target, ratios, at_least=True) if target else None
    return Row(runtime, Spread.of(costs), Spread.of(ratios), verdict)


def failure_of(runtime: str, rounds: list[Round]) -> str:
    """Why a runtime failed; one that failed in any round has no results at all."""
    failures = [result[runtime] for result in rounds if isinstance(result[runtime], str)]
    return failures[0] if failures else ""


def figures_of(scenario: Scenario, runtime: str, name: str, rounds: list[Round]) -> list[float]:
    """A figure of a runtime that did not fail, in each round."""
    return [scenario.figure(name, result[runtime]) for result in rounds]


def judge(about: str, bound: float, values: list[float], at_least: bool) -> Verdict:
    """Compare the median with the bound, and say whether every round agrees with it."""
    measured = Spread.of(values)
    keeps = [value >= bound if at_least else value <= bound for value in values]
    met = measured.median >= bound if at_least else measured.median <= bound
    return Verdict(about, bound, measured, met, all(keep == met for keep in keeps))

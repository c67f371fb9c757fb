"""A scenario: what is measured, on which runtimes, and what must hold.

Rules of this file:

- it knows nothing about how a runtime does a scenario (`runtimes/` does);
- a cost is always "less is better", so a ratio above 1 means that the peer costs more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Figures = Mapping[str, float]
Sizes = Mapping[str, float]


@dataclass(frozen=True)
class Measure:
    """One kind of cost: where to find it in the figures of a measurement, and how to print it."""

    figure: str
    unit: str
    scale: float = 1.0
    per_operation: bool = True

    def cost(self, figures: Figures) -> float:
        """The cost in `unit`, of one operation unless the measure is of the whole process."""
        share = figures["operations"] if self.per_operation else 1.0
        return figures[self.figure] * self.scale / share


WALL = Measure("wall", "µs", 1e6)
CPU = Measure("cpu", "CPU µs", 1e6)
RSS = Measure("rss", "bytes")
MAPPINGS = Measure("mappings", "mappings", per_operation=False)
IMPORT = Measure("import", "ms", 1e3, per_operation=False)


@dataclass(frozen=True)
class Scenario:
    """One comparison: the same work on trueasync and on its peers.

    `workload` names the function in each runtime's module; none means that the work is
    the import of the runtime, measured from outside.
    `targets` are the least ratios peer / trueasync, `limits` the most a figure of
    trueasync may be ("cost" is one of them). `other_sizes` are for slow runtimes, and
    change no cost: that is of one operation.
    """

    name: str
    sentence: str
    operation: str
    runtimes: tuple[str, ...]
    workload: str | None
    measure: Measure = WALL
    whole_run: bool = False  # the clock runs from before the runtime starts until it has ended
    rounds: int = 5
    sizes: Sizes = field(default_factory=dict)
    quick: Sizes = field(default_factory=dict)
    other_sizes: Mapping[str, Sizes] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)

    def figure(self, name: str, figures: Figures) -> float:
        """A figure that has a limit, by its name."""
        return self.measure.cost(figures) if name == "cost" else figures[name]

    @property
    def unit(self) -> str:
        """What a cost is counted in, such as "µs per yield"."""
        if not self.measure.per_operation:
            return self.measure.unit
        return f"{self.measure.unit} per {self.operation}"

    def sizes_for(self, runtime: str, quick: bool = False) -> dict[str, float]:
        """The parameters of the workload on `runtime`."""
        sizes = {**self.sizes, **self.other_sizes.get(runtime, {})}
        if quick:
            # A slow runtime stays as small as it already is.
            sizes |= {name: min(size, sizes[name]) for name, size in self.quick.items()}
        return sizes

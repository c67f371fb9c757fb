"""The process of one measurement: `python -m benchmarks.worker SCENARIO RUNTIME SIZES`.

It imports one runtime only, because some of them change the process they are loaded into.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

from benchmarks import scenarios
from benchmarks.importing import measure_import
from benchmarks.meter import Meter
from benchmarks.scenario import Scenario


def main() -> None:
    name, runtime, sizes = sys.argv[1:]
    scenario = scenarios.load(name)
    meter = Meter()
    if scenario.workload is None:
        measure_import(meter, runtime, **json.loads(sizes))
    else:
        measure_workload(scenario, runtime, meter, json.loads(sizes))
    meter.report_and_exit()


def measure_workload(scenario: Scenario, runtime: str, meter: Meter, sizes: dict) -> None:
    """Run the scenario's workload the way `runtime` does it."""
    module = import_module(f"benchmarks.runtimes.{runtime}")
    workload = getattr(module, scenario.workload)
    if scenario.whole_run:
        with meter:
            module.run(workload, meter, **sizes)
    else:
        module.run(workload, meter, **sizes)


if __name__ == "__main__":
    main()

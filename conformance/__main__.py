"""`python -m conformance [MODULE …]`: run, compare, write the table."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from conformance.exceptions import PATCHED

MODULES = [
    f"test_{name}"
    for line in (
        "socket ssl select selectors subprocess threading threading_local thread queue",
        "signal poll epoll os socketserver timeout httplib httpservers urllib2_localnet",
        "ftplib smtplib poplib imaplib xmlrpc wsgiref concurrent_futures context sched logging",
    )
    for name in line.split()
]
LONGEST = 600  # seconds for one module
TABLE = Path(__file__).parent.parent / "docs" / "conformance"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", default=MODULES)
    parser.add_argument("--log", type=Path, help="a folder for what the tests print")
    options = parser.parse_args()

    rows = []
    bad = 0
    for module in options.modules:
        control = run("native", module, options.log)
        row = compare(module, control, run("patched", module, options.log))
        rows.append(row)
        bad += len(row["new"])
        print(in_a_line(row), flush=True)
    if options.modules == MODULES:
        write_table(rows)
    sys.exit(1 if bad else 0)


def run(mode: str, module: str, log: Path | None) -> dict | None:
    """What became of a module, or None if it did not come to its end."""
    command = [sys.executable, "-W", "ignore", "-m", "conformance.child", mode, module]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
        output, errors = done.stdout, done.stderr
    except subprocess.TimeoutExpired as expired:
        output, errors = "", str(expired.stderr)
    if log is not None:
        log.mkdir(parents=True, exist_ok=True)
        (log / f"{module}.{mode}.log").write_text(errors)
    lines = [line for line in output.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


def compare(module: str, control: dict | None, ours: dict | None) -> dict:
    native = set(control["failed"]) if control else set()
    if ours is None:
        new = [f"{module}: it did not come to its end"] if control else []
        return {"module": module, "run": 0, "skipped": 0, "known": [], "new": new}
    failed = [name for name in ours["failed"] if name not in native]
    known = [name for name in failed if reason_for(name)]
    return {
        "module": module,
        "run": ours["run"],
        "skipped": ours["skipped"],
        "known": known,
        "new": [name for name in failed if name not in known],
    }


def reason_for(name: str) -> str | None:
    return next((why for key, why in PATCHED.items() if name.startswith(key)), None)


def in_a_line(row: dict) -> str:
    passed = row["run"] - row["skipped"] - len(row["known"]) - len(row["new"])
    text = f"{row['module']:24} {row['run']:5} run {passed:5} passed "
    text += f"{row['skipped']:4} skipped {len(row['known']):3} excepted"
    return text + "".join(f"\n    NEW {name}" for name in row["new"])


def write_table(rows: list[dict]) -> None:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    lines = [
        f"# CPython {version}'s own tests under the patches",
        "",
        "Made by `make conformance`; unchanged tests, run inside a coroutine.",
        "",
        "| module | run | passed | skipped | excepted |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        excepted = len(row["known"]) + len(row["new"])
        passed = row["run"] - row["skipped"] - excepted
        name, run, skipped = row["module"], row["run"], row["skipped"]
        lines.append(f"| {name} | {run} | {passed} | {skipped} | {excepted} |")
    TABLE.mkdir(parents=True, exist_ok=True)
    (TABLE / f"{version}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

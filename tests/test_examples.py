"""The example programs run, and say what the README says they say."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_demo_runs_every_coroutine_to_its_end():
    command = [sys.executable, EXAMPLES / "demo.py", "2000"]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "2,000 coroutines ran in one thread, and each waited 5 times." in done.stdout
    assert done.stderr == ""

"""One module of CPython's tests in this process: `python -m conformance.child MODE MODULE`.

Prints, as its last line, what became of it as JSON.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
import unittest

# As under `python -m test` without -u: no network outside this machine.
RESOURCES = ["cpu", "subprocess", "largefile", "walltime", "decimal"]
# They ask for the network, and need none but this machine's.
LOCAL = ("test_socketserver",)
# Hangs in a virtual machine without vsock, natively as well.
NOT_HERE = ("VSOCK", "Vsock")


def main(mode: str, name: str) -> None:
    import test

    os.chdir(os.path.dirname(test.__file__))
    if mode == "native":
        found = run(name)
    else:
        import trueasync

        trueasync.patch()
        found = trueasync.run(run, name)
    print(json.dumps(found), file=sys.__stdout__, flush=True)
    os._exit(0)  # what tests have left behind is not what is looked at


def run(name: str) -> dict[str, object]:
    from test import support

    support.use_resources = [*RESOURCES, "network"] if name in LOCAL else RESOURCES
    module = importlib.import_module(f"test.{name}")
    suite = unittest.TestSuite(wanted(unittest.TestLoader().loadTestsFromModule(module)))
    stream = io.StringIO()
    result = unittest.TextTestRunner(stream, verbosity=2).run(suite)
    print(stream.getvalue(), file=sys.stderr, flush=True)
    failed = [each.id() for each, _ in result.failures + result.errors if hasattr(each, "id")]
    return {
        "run": result.testsRun,
        "skipped": len(result.skipped),
        "failed": sorted({name_of(each) for each in failed}),
    }


def wanted(suite: unittest.TestSuite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from wanted(each)
        elif not any(word in each.id() for word in NOT_HERE):
            yield each


def name_of(identity: str) -> str:
    """Without the part that is the same for a whole module, and without subtests."""
    return identity.removeprefix("test.").partition(" ")[0]


if __name__ == "__main__":
    main(*sys.argv[1:])

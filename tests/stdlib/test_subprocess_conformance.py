"""CPython's own test_subprocess, unchanged, inside a coroutine under the patches."""

import importlib.util

import pytest

RUN = """
import sys, unittest, trueasync
trueasync.patch()

def main():
    from test import test_subprocess
    loader = unittest.TestLoader()
    loader.testNamePatterns = {patterns} or None
    suite = loader.loadTestsFromModule(test_subprocess)
    return unittest.TextTestRunner(stream=sys.stdout).run(suite)

result = trueasync.run(main)
sys.exit(not result.wasSuccessful() or result.testsRun < {least})
"""
# Each of these waits for children in its own way.
SOME = [f"*.ProcessTestCase.test_{what}*" for what in ("communicate", "wait", "std", "bufsize")]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("test.test_subprocess") is None,
    reason="this Python comes without its tests",
)


def test_what_waits_for_children_does_as_ever(python):
    done = python(RUN.format(patterns=SOME, least=30), "-W", "ignore")

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.stress
def test_everything_does_as_ever(python):
    done = python(RUN.format(patterns=[], least=250), "-W", "ignore", timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr

"""CPython's own tests of children, unchanged, inside a coroutine under the patches."""

import importlib.util

import pytest

RUN = """
import sys, unittest, trueasync
trueasync.patch()

def main():
    import test.{module} as tests
    loader = unittest.TestLoader()
    loader.testNamePatterns = {patterns} or None
    suite = loader.loadTestsFromModule(tests)
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
    done = python(RUN.format(module="test_subprocess", patterns=SOME, least=30), "-W", "ignore")

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.stress
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("module", "least"),
    [
        ("test_subprocess", 250),
        ("test_popen", 5),
        ("test_wait3", 2),
        ("test_wait4", 2),
        ("test_os", 250),
        ("test_posix", 120),
    ],
)
def test_everything_does_as_ever(python, module, least):
    done = python(RUN.format(module=module, patterns=[], least=least), "-W", "ignore", timeout=290)

    assert done.returncode == 0, done.stdout + done.stderr

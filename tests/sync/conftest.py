import pytest
from natives import NativeThread, Signal


@pytest.fixture
def thread():
    """`thread(function, *args)` starts a native thread.

    All of them are joined at the end of the test, and what they raised is raised.
    """
    started = []

    def start(function, *args):
        started.append(NativeThread(function, args))
        return started[-1]

    yield start
    while started:
        started.pop(0).result()


@pytest.fixture
def signal_when(thread):
    """`signal_when(condition, handler)`: once that holds, a signal handler calls `handler`."""
    sent = []

    def send(condition, handler):
        sent.append(Signal(condition, handler))
        thread(sent[-1].send)

    yield send
    while sent:
        sent.pop().put_back()

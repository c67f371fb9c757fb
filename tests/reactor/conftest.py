"""`reactor`: a libuv reactor, or one of the class a test file chooses; closed after the test."""

import pytest

from trueasync.reactor.reactor import UvReactor


@pytest.fixture
def reactor_class():
    return UvReactor


@pytest.fixture
def reactor(reactor_class, request):
    made = reactor_class()
    yield made
    made.close()
    # pytest would keep it alive past the look for what the test has left over.
    del request.node.funcargs["reactor"]

"""What the tests of the reactor share.

`reactor`  a libuv reactor, or one of the class a test file chooses; closed after the test
`kind`     each kind of event, from every_kind.py
"""

import pytest
from every_kind import KINDS

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


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param

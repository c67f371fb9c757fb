"""What the tests of the reactor share.

`reactor`  a libuv reactor, or one of the class a test file chooses; closed after the test
`collects` what is told of the files below `root`, from collects.py
`kind`     each kind of event, from every_kind.py
"""

import pytest
from collects import Collects
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


@pytest.fixture
def root(tmp_path):
    path = tmp_path / "root"
    path.mkdir()
    return path


@pytest.fixture
def collects(reactor, root, request):
    made = []

    def start(path=root, recursive=True):
        made.append(Collects(reactor, path, recursive))
        return made[-1]

    yield start
    for each in made:
        each.event.stop()
    made.clear()
    del request.node.funcargs["collects"]

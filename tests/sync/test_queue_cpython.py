"""CPython's own tests of queues, unchanged, on ours: from native threads, and in coroutines."""

import time
import types
import unittest

import pytest

import trueasync
from trueasync import testing
from trueasync.scheduler.calls import running_scheduler
from trueasync.sync import queue_errors

test_queue = pytest.importorskip("test.test_queue")

OURS = types.SimpleNamespace(
    Queue=trueasync.Queue,
    LifoQueue=trueasync.LifoQueue,
    PriorityQueue=trueasync.PriorityQueue,
    SimpleQueue=trueasync.SimpleQueue,
    Empty=queue_errors.Empty,
    Full=queue_errors.Full,
    ShutDown=trueasync.ShutDown,
)


class CoroutineThread:
    """threading.Thread, as far as the tests use it, over a coroutine."""

    def __init__(self, target=None, args=()):
        self.target, self.args = target, args
        self.coroutine = None

    def run(self):
        self.target(*self.args)

    def start(self):
        self.coroutine = trueasync.spawn(self.run)

    def join(self, timeout=None):
        if self.coroutine is not None:
            try:
                self.coroutine.result(timeout)
            except TimeoutError:
                pass

    def is_alive(self):
        return self.coroutine is not None and not self.coroutine.done()


IN_COROUTINES = types.SimpleNamespace(
    Thread=CoroutineThread,
    Event=trueasync.Event,
    Lock=trueasync.Lock,
    Barrier=trueasync.Barrier,
)


class InThreads:
    queue = OURS


class InCoroutines:
    """What the tests call a thread is a coroutine; time is virtual."""

    queue = OURS
    # Since 3.13: they spin at get(False) until another thread has shut the queue down, and a
    # get that fails at once lets no other coroutine run.
    test_shutdown_all_methods_in_many_threads = None
    test_shutdown_immediate_all_methods_in_many_threads = None

    @pytest.fixture(autouse=True)
    def _coroutines_for_threads(self, monkeypatch):
        monkeypatch.setattr(test_queue, "threading", IN_COROUTINES)
        monkeypatch.setattr(test_queue, "_TriggerThread", TriggerCoroutine)
        monkeypatch.setattr(time, "sleep", trueasync.sleep)
        monkeypatch.setattr(time, "monotonic", virtual_time)

    def run(self, result=None):
        return testing.run(super().run, result)


def virtual_time():
    return running_scheduler("monotonic").reactor.now()


class TriggerCoroutine(CoroutineThread):
    """As the test's own thread of that name, which is made when its module is imported."""

    def __init__(self, function, args):
        super().__init__()
        self.fn, self.args = function, args
        self.startedEvent = trueasync.Event()

    def run(self):
        trueasync.sleep(0.1)
        self.startedEvent.set()
        self.fn(*self.args)


class TestQueue(InThreads, test_queue.QueueTest, unittest.TestCase):
    pass


class TestQueueInCoroutines(InCoroutines, test_queue.QueueTest, unittest.TestCase):
    pass


class TestLifoQueue(InThreads, test_queue.LifoQueueTest, unittest.TestCase):
    pass


class TestLifoQueueInCoroutines(InCoroutines, test_queue.LifoQueueTest, unittest.TestCase):
    pass


class TestPriorityQueue(InThreads, test_queue.PriorityQueueTest, unittest.TestCase):
    pass


class TestPriorityQueueInCoroutines(InCoroutines, test_queue.PriorityQueueTest, unittest.TestCase):
    pass


class TestFailingQueue(InThreads, test_queue.FailingQueueTest, unittest.TestCase):
    pass


class TestFailingQueueInCoroutines(InCoroutines, test_queue.FailingQueueTest, unittest.TestCase):
    pass


class SimpleQueues:
    def setUp(self):
        self.type2test = trueasync.SimpleQueue
        super().setUp()


class TestSimpleQueue(SimpleQueues, InThreads, test_queue.BaseSimpleQueueTest, unittest.TestCase):
    test_reentrancy = test_queue.CSimpleQueueTest.test_reentrancy


class TestSimpleQueueInCoroutines(
    SimpleQueues, InCoroutines, test_queue.BaseSimpleQueueTest, unittest.TestCase
):
    test_reentrancy = test_queue.CSimpleQueueTest.test_reentrancy

"""CPython's own tests of locks, unchanged, on ours: from native threads, and in coroutines."""

import time

import pytest

import trueasync
from trueasync import testing
from trueasync.scheduler.calls import running_scheduler

lock_tests = pytest.importorskip("test.lock_tests")


class InThreads:
    """The tests as they are."""


class InCoroutines:
    """What the tests call a thread is a coroutine; time is virtual."""

    @pytest.fixture(autouse=True)
    def _coroutines_for_threads(self, monkeypatch):
        monkeypatch.setattr(lock_tests, "start_new_thread", spawn_thread)
        monkeypatch.setattr(time, "sleep", trueasync.sleep)
        monkeypatch.setattr(time, "monotonic", virtual_time)

    def run(self, result=None):
        return testing.run(super().run, result)


def spawn_thread(function, args):
    trueasync.spawn(function, *args)


def virtual_time():
    return running_scheduler("monotonic").reactor.now()


class TestLock(InThreads, lock_tests.LockTests):
    locktype = trueasync.Lock


class TestLockInCoroutines(InCoroutines, lock_tests.LockTests):
    locktype = trueasync.Lock


class TestRLock(InThreads, lock_tests.RLockTests):
    locktype = trueasync.RLock


class TestRLockInCoroutines(InCoroutines, lock_tests.RLockTests):
    locktype = trueasync.RLock


class TestEvent(InThreads, lock_tests.EventTests):
    eventtype = trueasync.Event


class TestEventInCoroutines(InCoroutines, lock_tests.EventTests):
    eventtype = trueasync.Event


class TestCondition(InThreads, lock_tests.ConditionTests):
    condtype = trueasync.Condition


class TestConditionInCoroutines(InCoroutines, lock_tests.ConditionTests):
    condtype = trueasync.Condition


class TestSemaphore(InThreads, lock_tests.SemaphoreTests):
    semtype = trueasync.Semaphore


class TestSemaphoreInCoroutines(InCoroutines, lock_tests.SemaphoreTests):
    semtype = trueasync.Semaphore


class TestBoundedSemaphore(InThreads, lock_tests.BoundedSemaphoreTests):
    semtype = trueasync.BoundedSemaphore


class TestBoundedSemaphoreInCoroutines(InCoroutines, lock_tests.BoundedSemaphoreTests):
    semtype = trueasync.BoundedSemaphore


class TestBarrier(InThreads, lock_tests.BarrierTests):
    barriertype = trueasync.Barrier


class TestBarrierInCoroutines(InCoroutines, lock_tests.BarrierTests):
    barriertype = trueasync.Barrier

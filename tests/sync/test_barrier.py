"""Barrier: all go on when the last has come."""

import threading

import pytest

import trueasync
from trueasync import Barrier, Cancelled, spawn, suspend


def test_nobody_passes_before_all_have_come(seeds):
    def main():
        barrier, log = Barrier(4, action=lambda: log.append("all here")), []

        def come():
            log.append("came")
            barrier.wait()
            log.append("passed")

        for coroutine in [spawn(come) for _ in range(8)]:
            coroutine.result()
        return log

    for _ in seeds:
        log = trueasync.testing.run(main)
        assert log.count("all here") == 2
        assert log.index("passed") > log.index("all here") >= 4


def test_who_is_cancelled_leaves_his_place_to_another(run):
    def main():
        barrier = Barrier(2)
        leaving = spawn(barrier.wait)
        suspend()
        leaving.cancel()
        with pytest.raises(Cancelled):
            leaving.result()
        other = spawn(barrier.wait)
        return sorted([barrier.wait(), other.result()])

    assert run(main) == [0, 1]


def test_one_who_does_not_come_in_time_breaks_it(run):
    def main():
        barrier = Barrier(2, timeout=0.01)
        with pytest.raises(threading.BrokenBarrierError):
            barrier.wait()
        assert barrier.broken
        barrier.reset()
        return barrier.broken

    assert run(main) is False


def test_it_is_a_barrier_of_threading():
    assert isinstance(Barrier(1), threading.Barrier)
    assert Barrier(1).wait() == 0

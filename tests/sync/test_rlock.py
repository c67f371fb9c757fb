"""RLock: its owner, a coroutine or a native thread, may acquire it again."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import Cancelled, Condition, DeadlockError, RLock, spawn, suspend


def enter_twice(lock, name, into):
    with lock, lock:
        into.append(name)


def test_its_owner_acquires_it_again_and_others_wait(seeds):
    def main():
        lock, entered = RLock(), []
        with lock:
            for number in range(3):
                spawn(enter_twice, lock, number, entered)
                until(waiting(lock, number + 1))
            with lock:
                suspend()
                assert entered == []
        lock.acquire()
        return entered

    for schedule in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2], schedule


def test_the_coroutines_of_a_thread_are_different_owners(run):
    def main():
        lock = RLock()
        with lock:
            return spawn(lock.acquire, False).result(), lock._is_owned()

    assert run(main) == (False, True)


def test_a_thread_and_the_run_in_it_are_different_owners(run):
    lock = RLock()
    with lock:
        assert run(lock.acquire, False) is False
        assert lock._is_owned()
        assert run(lock._is_owned) is False


def test_only_its_owner_may_release_it(run, thread):
    def main():
        lock = RLock()
        with lock:
            for release in (spawn(lock.release), thread(lock.release)):
                with pytest.raises(RuntimeError, match="un-acquired"):
                    release.result()

    run(main)


def test_coroutines_and_threads_stand_in_one_line(run, thread):
    lock, entered = RLock(), []

    def main():
        with lock:
            for number in range(6):
                start = spawn if number % 2 else thread
                start(enter_twice, lock, number, entered)
                until(waiting(lock, number + 1))

    run(main)

    until(lambda: len(entered) == 6)
    assert entered == [0, 1, 2, 3, 4, 5]


def test_who_is_cancelled_leaves_the_line_and_who_was_handed_it_keeps_it(seeds):
    def main():
        lock, entered = RLock(), []
        with lock:
            waits = [spawn(enter_twice, lock, number, entered) for number in range(3)]
            until(waiting(lock, 3))
            waits[0].cancel()
        for coroutine in waits:
            coroutine.cancel()  # the lock is handed to one of them, who runs all the same
        for coroutine in waits:
            try:
                coroutine.result()
            except Cancelled:
                pass
        assert not lock.locked()
        return entered

    for schedule in seeds:
        assert len(trueasync.testing.run(main)) == 1, schedule


def test_its_depth_survives_the_wait_of_a_condition(run):
    def main():
        lock = RLock()
        condition = Condition(lock)

        def notify():
            with condition:
                condition.notify()

        with lock, lock, lock:
            spawn(notify)
            condition.wait()
            return lock._recursion_count()

    assert run(main) == 3


def test_a_timeout_gives_up(run):
    def main():
        lock = RLock()
        with lock:
            return spawn(lock.acquire, True, 0.01).result(), repr(lock)

    got, words = run(main)

    assert got is False
    assert "main 1 times, 0 waiting" in words


def test_an_interrupted_thread_leaves_the_line(run, signal_when):
    lock = RLock()
    run(lock.acquire)  # whose coroutine has ended, and holds it for ever

    def interrupt():
        raise KeyboardInterrupt

    signal_when(waiting(lock, 1), interrupt)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire()

    assert ", 0 waiting" in repr(lock)


def test_a_subclass_may_have_more(run):
    class Named(RLock):
        def __init__(self, name):
            self.name = name

    lock = Named("x")
    with lock:
        assert (lock.name, lock._is_owned()) == ("x", True)
    assert "trueasync.test_a_subclass_may_have_more.<locals>.Named object" in repr(lock)


def test_a_deadlock_names_its_owner():
    def main():
        lock = RLock()
        lock.acquire()
        spawn(lock.acquire).result()

    with pytest.raises(DeadlockError, match=r"for a lock held by .*main"):
        trueasync.testing.run(main)

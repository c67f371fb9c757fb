"""Condition: no notification is missed or lost, and `wait` always comes back with the lock."""

import threading

import pytest
from natives import until

import trueasync
from trueasync import Cancelled, Condition, Lock, RLock, UsageError, spawn, suspend


def consume(condition, items, into):
    with condition:
        condition.wait_for(lambda: items)
        into.append(items.pop(0))


def waiters(condition):
    return int(repr(condition).rpartition(", ")[2].removesuffix(" waiting>"))


@pytest.mark.parametrize("make", [Lock, RLock, threading.Lock, threading.RLock])
def test_it_works_with_every_kind_of_lock(make, run):
    def main():
        condition, got = Condition(make()), []

        def wait():
            with condition:
                got.append(condition.wait())

        spawn(wait)
        until(lambda: waiters(condition) == 1)
        with condition:
            condition.notify()
        until(lambda: got)
        with condition:
            got.append(condition.wait(0))
            got.append(condition.wait(0.01))
        return got

    assert run(main) == [True, False, False]


def test_the_first_who_waits_is_the_first_who_is_notified(seeds):
    def main():
        condition, woken = Condition(), []

        def wait(number):
            with condition:
                condition.wait()
                woken.append(number)

        for number in range(4):
            spawn(wait, number)
            until(lambda number=number: waiters(condition) == number + 1)
        for number in range(4):
            with condition:
                condition.notify()
            until(lambda number=number: len(woken) == number + 1)
        return woken

    for _ in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2, 3]


def test_every_item_is_consumed_whoever_is_cancelled(seeds):
    def main():
        condition, items, got = Condition(), [], []
        workers = [spawn(consume, condition, items, got) for _ in range(8)]
        for number in range(4):
            suspend()
            workers[number].cancel()
            with condition:
                items.append(number)
                condition.notify()
        until(lambda: len(got) == 4)
        for worker in workers:
            worker.cancel()
        return got

    for schedule in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2, 3], schedule


def test_who_is_cancelled_comes_out_with_the_lock(seeds):
    def main():
        condition, seen = Condition(), []

        def wait():
            with condition:
                try:
                    condition.wait()
                finally:
                    seen.append(condition._is_owned())

        waits = spawn(wait)
        until(lambda: waiters(condition) == 1)
        with condition:
            waits.cancel()
            suspend()
            assert seen == []
        with pytest.raises(Cancelled):
            waits.result()
        return seen, waiters(condition), condition.acquire(False)

    for _ in seeds:
        assert trueasync.testing.run(main) == ([True], 0, True)


def test_who_was_notified_and_then_cancelled_goes_on_to_its_next_wait(seeds):
    def main():
        condition, seen = Condition(), []

        def wait():
            with condition:
                seen.append(condition.wait())
                seen.append(condition._is_owned())
                suspend()
                seen.append("never")

        waits = spawn(wait)
        until(lambda: waiters(condition) == 1)
        with condition:
            condition.notify()
            suspend()
            waits.cancel()  # it waits for the lock now
            suspend()
        with pytest.raises(Cancelled):
            waits.result()
        return seen, condition.acquire(False)

    for _ in seeds:
        assert trueasync.testing.run(main) == ([True, True], True)


def test_cancelled_at_every_wait_it_comes_out_all_the_same(python):
    script = """
import trueasync.testing
from trueasync import Condition, spawn, suspend
condition = Condition()
def wait():
    with condition:
        condition.wait()
def ignores():
    with condition:
        while True:
            try:
                trueasync.sleep(1)
            except trueasync.Cancelled:
                pass
def main():
    spawn(wait)
    suspend()
    spawn(ignores)
    suspend()
    raise ValueError("the end")
trueasync.testing.run(main)
"""
    ended = python(script)

    assert "ValueError: the end" in ended.stderr
    assert "abandoned" in ended.stderr


def test_an_interrupted_thread_passes_the_notification_on(signal_when, thread):
    condition, got = Condition(), []

    def wait():
        with condition:
            got.append(condition.wait())

    def handler():
        with condition:
            condition.notify()  # the first who waits is the thread that is interrupted
        raise KeyboardInterrupt

    signal_when(lambda: waiters(condition) == 2, handler)
    with condition:
        thread(until, lambda: waiters(condition) == 1 and thread(wait))
        with pytest.raises(KeyboardInterrupt):
            condition.wait()
        assert condition._is_owned()
    until(lambda: got)

    assert got == [True]


def test_without_the_lock_it_is_refused(run):
    def main():
        condition = Condition()
        for call in (condition.wait, condition.notify, condition.notify_all):
            with pytest.raises(RuntimeError, match="un-acquired"):
                call()

    run(main)


def test_a_lock_that_cannot_be_let_go_of_leaves_nobody_in_line(run):
    class Stuck:
        def acquire(self, blocking=True):
            return False

        def release(self):
            raise ZeroDivisionError

    def main():
        condition = Condition(Stuck())
        with pytest.raises(ZeroDivisionError):
            condition.wait()
        return waiters(condition)

    assert run(main) == 0


def test_wait_for_gives_up_after_its_timeout(run):
    def main():
        condition = Condition()
        with condition:
            return condition.wait_for(lambda: "", 0.01)

    assert run(main) == ""


def test_the_old_name_warns():
    condition = Condition()
    with condition, pytest.warns(DeprecationWarning, match="notify_all"):
        condition.notifyAll()


def test_a_wait_where_no_coroutine_runs_is_refused(run):
    def main():
        condition, refused = Condition(), []

        def wait():
            with condition:
                try:
                    condition.wait()
                except UsageError as error:
                    refused.append(error)

        trueasync.scheduler.calls.running_scheduler("post").reactor.post(wait)
        trueasync.sleep(0.01)
        return refused, waiters(condition), condition.acquire(False)

    refused, waiting, free = run(main)

    assert (len(refused), waiting, free) == (1, 0, True)

"""What native threads and coroutines of several runs have in common when they wait."""

import random
import threading

import pytest
from natives import until, waiting

import trueasync
from trueasync import Barrier, Condition, Event, Lock, RLock, Semaphore, UsageError, spawn, suspend

PER_WORKER = 300


class Counter:
    """Shows when two are inside at the same time, or more than allowed."""

    def __init__(self, allowed):
        self.allowed, self.inside, self.entered = allowed, 0, 0

    def __enter__(self):
        self.inside += 1
        assert self.inside <= self.allowed

    def __exit__(self, *error):
        self.inside -= 1
        self.entered += 1


def hammer(lock, counter, acquire, times=PER_WORKER):
    chance = random.Random(times)
    for _ in range(times):
        if acquire(lock, chance):
            try:
                with counter:
                    if chance.random() < 0.1:
                        pause()
            finally:
                lock.release()


def pause():
    if trueasync.scheduler.calls.in_coroutine():
        suspend()


def patiently(lock, chance):
    return lock.acquire()


def impatiently(lock, chance):
    return lock.acquire(timeout=chance.choice([0.0001, 0.001, 0.01]))


def at_once(lock, chance):
    return lock.acquire(False)


def everybody(lock, allowed, thread, times=PER_WORKER):
    """Coroutines of two runs, and native threads, at one lock."""
    counter = Counter(allowed)
    ways = (patiently, impatiently, at_once)

    def main():
        for way in ways * 3:
            spawn(hammer, lock, counter, way, times)

    workers = [thread(trueasync.run, main) for _ in range(2)]
    workers += [thread(hammer, lock, counter, way, times) for way in ways]
    for worker in workers:
        worker.result()
    assert counter.inside == 0
    assert counter.entered >= 7 * times  # those that wait patiently


@pytest.mark.parametrize(
    ("make", "allowed"), [(Lock, 1), (RLock, 1), (lambda: Semaphore(3), 3)], ids=str
)
def test_threads_and_coroutines_hammer_one_lock(make, allowed, thread):
    lock = make()

    everybody(lock, allowed, thread)

    assert lock.acquire(False)


@pytest.mark.stress
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("make", "allowed"), [(Lock, 1), (RLock, 1), (lambda: Semaphore(3), 3)], ids=str
)
def test_threads_and_coroutines_hammer_one_lock_for_long(make, allowed, thread):
    everybody(make(), allowed, thread, times=20_000)


def test_an_event_wakes_threads_and_coroutines_of_every_run(thread):
    event, woken = Event(), []

    def wait():
        assert event.wait()
        woken.append(1)

    def main():
        for _ in range(5):
            spawn(wait)

    workers = [thread(trueasync.run, main) for _ in range(2)] + [thread(wait) for _ in range(5)]
    until(waiting(event, 15))
    event.set()
    for worker in workers:
        worker.result()

    assert len(woken) == 15


def test_a_condition_is_notified_across_threads_and_runs(thread):
    condition, items, got = Condition(), [], []

    def consume():
        with condition:
            condition.wait_for(lambda: items)
            got.append(items.pop())

    def main():
        for _ in range(5):
            spawn(consume)

    workers = [thread(trueasync.run, main)] + [thread(consume) for _ in range(5)]
    for number in range(10):
        with condition:
            items.append(number)
            condition.notify()
    for worker in workers:
        worker.result()

    assert sorted(got) == list(range(10))


def test_a_barrier_lets_threads_and_coroutines_through_together(thread):
    barrier, passed = Barrier(6), []

    def come():
        passed.append(barrier.wait())

    def main():
        for _ in range(3):
            spawn(come)

    for worker in [thread(trueasync.run, main)] + [thread(come) for _ in range(3)]:
        worker.result()

    assert sorted(passed) == list(range(6))


def test_waiting_where_no_coroutine_runs_is_refused(run):
    refused = []

    def attempt(wait):
        try:
            wait()
        except UsageError as error:
            refused.append(error)

    def main():
        for wait in (Event().wait, Semaphore(0).acquire):
            trueasync.scheduler.calls.running_scheduler("post").reactor.post(
                lambda wait=wait: attempt(wait)
            )
        trueasync.sleep(0.01)

    run(main)

    assert len(refused) == 2


def test_a_posted_wake_up_that_comes_after_the_cancellation_does_nothing(thread):
    # The event is set for it by a thread, it is cancelled before the post arrives, and the
    # post finds it elsewhere.
    def main():
        for _ in range(100):
            event, other = Event(), Lock()
            waits = spawn(event.wait)
            suspend()
            setter = threading.Thread(target=event.set)
            setter.start()
            waits.cancel()
            setter.join()
            with other:
                spawn(other.acquire)
                until(waiting(other, 1))
            try:
                waits.result()
            except trueasync.Cancelled:
                pass

    trueasync.run(main)

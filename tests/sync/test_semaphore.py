"""Semaphore: permits are neither lost nor doubled, and go to who waited first."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import BoundedSemaphore, Cancelled, Semaphore, spawn, suspend


def note_turns(semaphore, name, into):
    semaphore.acquire()
    into.append(name)


def test_permits_go_to_who_waited_first(seeds):
    def main():
        semaphore, entered = Semaphore(0), []
        for number in range(6):
            spawn(note_turns, semaphore, number, entered)
            until(waiting(semaphore, number + 1))
        semaphore.release(2)
        semaphore.release()
        assert semaphore.acquire(False) is False  # they are promised
        until(lambda: len(entered) == 3)
        semaphore.release(3)
        until(lambda: len(entered) == 6)
        return entered

    for _ in seeds:
        got = trueasync.testing.run(main)
        # Who was given one runs when it is drawn; but none of the second three came first.
        assert sorted(got[:3]) == [0, 1, 2]
        assert sorted(got[3:]) == [3, 4, 5]


def test_an_acquire_that_fails_at_once_lets_nobody_run(run):
    def main():
        semaphore, seen = Semaphore(0), []
        spawn(seen.append, "another ran")
        failed = [semaphore.acquire(False), semaphore.acquire(timeout=0)]
        return failed, list(seen)

    assert run(main) == ([False, False], [])


def test_a_permit_given_to_a_cancelled_coroutine_is_its_own(seeds):
    def main():
        semaphore, entered = Semaphore(0), []
        first, second = [spawn(note_turns, semaphore, n, entered) for n in range(2)]
        until(waiting(semaphore, 2))
        semaphore.release()
        for coroutine in (first, second):
            coroutine.cancel()
        outcomes = 0
        for coroutine in (first, second):
            try:
                coroutine.result()
            except Cancelled:
                outcomes += 1
        return len(entered), outcomes, semaphore._value

    for _ in seeds:
        assert trueasync.testing.run(main) == (1, 1, 0)


def test_permits_are_conserved_whoever_leaves(seeds):
    def main():
        semaphore, inside = Semaphore(2), []

        def worker(timeout):
            if semaphore.acquire(timeout=timeout):
                try:
                    inside.append(1)
                    assert len(inside) <= 2
                    suspend()
                finally:
                    inside.pop()
                    semaphore.release()

        workers = [spawn(worker, timeout) for timeout in (None, 0.5, 0, None, 1e-9, None) * 3]
        for number, coroutine in enumerate(workers):
            if number % 4 == 0:
                coroutine.cancel()
            suspend()
        for coroutine in workers:
            try:
                coroutine.result()
            except Cancelled:
                pass
        return semaphore._value

    for schedule in seeds:
        assert trueasync.testing.run(main) == 2, schedule


def test_a_bounded_one_takes_no_more_than_it_gave(run):
    def main():
        semaphore = BoundedSemaphore(2)
        with semaphore:
            pass
        with pytest.raises(ValueError, match="too many times"):
            semaphore.release()
        semaphore.acquire()
        with pytest.raises(ValueError, match="too many times"):
            semaphore.release(2)
        return semaphore._value

    assert run(main) == 1


def test_what_makes_no_sense_is_refused():
    for make in (Semaphore, BoundedSemaphore):
        with pytest.raises(ValueError, match="0 or more permits, not -1"):
            make(-1)
    with pytest.raises(ValueError, match="1 permit or more back, not 0"):
        Semaphore().release(0)
    with pytest.raises(ValueError, match="timeout"):
        Semaphore().acquire(False, 1)


def test_an_interrupted_thread_passes_its_permit_on(signal_when):
    semaphore = Semaphore(0)

    def handler():
        semaphore.release()  # to the thread that waits, which is this one
        raise KeyboardInterrupt

    signal_when(waiting(semaphore, 1), handler)
    with pytest.raises(KeyboardInterrupt):
        semaphore.acquire()

    assert semaphore._value == 1


def test_a_subclass_that_forgets_to_set_it_up_has_no_permits():
    class Odd(Semaphore):
        def __init__(self):
            pass

    assert Odd().acquire(False) is False

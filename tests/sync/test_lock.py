"""Lock: one at a time, in order, coroutines and native threads alike."""

import gc
import os

import pytest
from natives import until, waiting

import trueasync
from trueasync import (
    Cancelled,
    DeadlockError,
    Lock,
    RLock,
    get_coroutines,
    spawn,
    suspend,
)
from trueasync.scheduler.scheduler import Scheduler


def note_turns(lock, name, into):
    with lock:
        into.append(name)


# -- order -------------------------------------------------------------------------------


def test_it_goes_to_who_waited_first(seeds):
    def main():
        lock, entered = Lock(), []
        with lock:
            for number in range(5):
                spawn(note_turns, lock, number, entered)
                until(waiting(lock, number + 1))
        with lock:  # and who has just released it goes behind them
            entered.append("main")
        return entered

    for schedule in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2, 3, 4, "main"], schedule


def test_coroutines_and_threads_stand_in_one_line(run, thread):
    lock, entered = Lock(), []

    def main():
        with lock:
            for number in range(6):
                start = spawn if number % 2 else thread
                start(note_turns, lock, number, entered)
                until(waiting(lock, number + 1))

    run(main)

    until(lambda: len(entered) == 6)
    assert entered == [0, 1, 2, 3, 4, 5]


def test_runs_of_several_threads_hand_it_to_each_other(thread):
    lock, entered = Lock(), []

    def main(name):
        for _ in range(20):
            spawn(note_turns, lock, name, entered)
            suspend()

    with lock:
        runs = [thread(trueasync.run, main, name) for name in range(3)]
        until(waiting(lock, 60))
    for run in runs:
        run.result()

    assert sorted(entered) == [0] * 20 + [1] * 20 + [2] * 20
    assert not lock.locked()


def test_it_keeps_out_whoever_does_not_hold_it(seeds):
    def main():
        lock, inside = Lock(), []

        def enter():
            with lock:
                inside.append(1)
                suspend()
                assert inside == [1]
                inside.clear()

        for _ in range(10):
            spawn(enter)

    for _ in seeds:
        trueasync.testing.run(main)


# -- acquiring without a wait, and for some time -------------------------------------------


def test_an_acquire_that_fails_at_once_lets_nobody_run(run):
    def main():
        lock, seen = Lock(), []
        lock.acquire()
        spawn(seen.append, "another ran")
        failed = [lock.acquire(False), lock.acquire(timeout=0), lock.acquire(blocking=0)]
        return failed, list(seen)

    assert run(main) == ([False, False, False], [])


def test_a_timeout_gives_up_and_leaves_the_line(run):
    def main():
        lock = Lock()
        lock.acquire()
        got = lock.acquire(timeout=0.01)
        until(waiting(lock, 0))
        lock.release()
        return got, lock.acquire(timeout=1), lock.locked()

    assert run(main) == (False, True, True)


def test_a_thread_gives_up_after_its_timeout():
    lock = Lock()
    lock.acquire()

    assert lock.acquire(timeout=0.01) is False
    assert ", 0 waiting" in repr(lock)


def test_releasing_a_free_lock_is_refused():
    lock = Lock()

    with pytest.raises(RuntimeError, match="unlocked"):
        lock.release()
    with pytest.raises(RuntimeError, match="unlocked"):
        lock.__exit__(None, None, None)


def test_anybody_may_release_it(run, thread):
    def main():
        lock = Lock()
        lock.acquire()
        thread(lock.release)
        return lock.acquire()

    assert run(main) is True


# -- cancellation ----------------------------------------------------------------------------


def test_who_is_cancelled_leaves_the_line(run):
    def main():
        lock, entered = Lock(), []
        with lock:
            leaving = spawn(note_turns, lock, "cancelled", entered)
            spawn(note_turns, lock, "next", entered)
            until(waiting(lock, 2))
            leaving.cancel()
        with pytest.raises(Cancelled):
            leaving.result()
        until(lambda: entered)
        return entered, lock.locked()

    assert run(main) == (["next"], False)


def test_who_was_handed_it_keeps_it_though_cancelled(seeds):
    def main():
        lock, entered = Lock(), []
        lock.acquire()
        waits = spawn(note_turns, lock, "handed over", entered)
        until(waiting(lock, 1))
        lock.release()
        waits.cancel()  # woken, and not yet run
        waits.result()  # the cancellation would come at its next wait, and there is none
        return entered, lock.locked()

    for _ in seeds:
        assert trueasync.testing.run(main) == (["handed over"], False)


def test_who_is_cancelled_by_a_run_while_a_thread_releases_passes_it_on(thread):
    # The releasing thread and the cancelling run race; whoever wins, the lock goes on.
    def main():
        for _ in range(200):
            lock = Lock()
            lock.acquire()
            waits = spawn(note_turns, lock, "waits", [])
            until(waiting(lock, 1))
            native = thread(lock.release)
            waits.cancel()
            until(lambda lock=lock: not lock.locked())
            native.result()

    trueasync.run(main)


# -- reports, memory, fork -----------------------------------------------------------------------


def test_a_deadlock_names_who_holds_it():
    def holder(lock):
        lock.acquire()

    def main():
        lock = Lock()
        spawn(holder, lock)
        suspend()
        lock.acquire()

    with pytest.raises(DeadlockError, match=r"for a lock held by .*holder"):
        trueasync.testing.run(main)


def test_a_cycle_through_two_locks_is_named(seeds):
    def take_both(first, second):
        with first:
            trueasync.sleep(1)
            with second:
                pass

    def main():
        first, second = Lock(), RLock()
        both = [spawn(take_both, first, second), spawn(take_both, second, first)]
        trueasync.sleep(2)
        (run,) = trueasync.report().runs
        for coroutine in both:
            coroutine.cancel()
        return [sorted(one.number for one in cycle) for cycle in run.cycles]

    for _ in seeds:
        assert trueasync.testing.run(main) == [[1, 2]]


def test_a_lock_that_serves_as_a_signal_is_no_cycle(run):
    def main():
        lock = Lock()

        def wait_for_signal():
            lock.acquire()
            lock.acquire()

        waits = spawn(wait_for_signal)
        suspend()
        (run,) = trueasync.report().runs
        lock.release()
        waits.result()
        return run.cycles

    assert run(main) == ()


def test_its_words_tell_its_state(run):
    def main():
        lock = Lock()
        free = repr(lock)
        with lock:
            return free, repr(lock)

    free, held = run(main)

    assert free.startswith("<unlocked trueasync.Lock object at 0x")
    assert "held by " in held
    assert "main, 0 waiting at 0x" in held


def test_it_keeps_no_run_alive_once_it_is_released(run):
    lock = Lock()

    run(lambda: spawn(note_turns, lock, "once", []).result())
    gc.collect()

    assert not [item for item in gc.get_objects() if type(item) is Scheduler]


def test_ten_thousand_waits_leave_nothing_behind(run):
    def main():
        lock = Lock()
        for _ in range(100):
            with lock:
                for _ in range(100):
                    spawn(note_turns, lock, "x", [])
                suspend()
            until(lambda: len(get_coroutines()) == 1)
        return repr(lock)

    assert run(main).startswith("<unlocked")


def test_in_a_forked_child_it_goes_to_nobody_who_stayed_behind(thread):
    lock = Lock()
    with lock:
        thread(note_turns, lock, "parent", [])
        until(waiting(lock, 1))
        child = os.fork()
        if child == 0:
            lock.release()
            os._exit(0 if lock.acquire(False) else 1)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0


def test_a_finalizer_may_use_the_lock_that_is_being_released(run):
    lock, seen = Lock(), []

    class Noisy:
        def __del__(self):
            with lock:
                seen.append("finalized")

    def main():
        def holder():
            noisy = Noisy()
            noisy.itself = noisy
            lock.acquire()

        spawn(holder).result()
        lock.release()
        gc.collect()

    run(main)

    assert seen == ["finalized"]

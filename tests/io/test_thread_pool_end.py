"""ThreadPool: map, how it ends, and what it refuses."""

import concurrent.futures
import itertools
import os

import pytest
from gate import Gate

import trueasync
from trueasync import Cancelled, ThreadPool, UsageError
from trueasync.io.call import Call

# -- map -----------------------------------------------------------------------------------


def test_map_gives_results_in_the_order_of_the_items(run, make_pool):
    def main():
        with make_pool(3, 2) as pool:
            return list(pool.map(pow, range(50), itertools.repeat(2)))

    assert run(main) == [number**2 for number in range(50)]


def test_map_reads_only_as_far_as_there_is_room(run, make_pool):
    def main():
        taken = itertools.count()
        with make_pool(2, 1) as pool:
            results = pool.map(str, taken)
            first = [next(results) for _ in range(5)]
            results.close()
        return first, next(taken) <= 5 + 3 + 1

    assert run(main) == (["0", "1", "2", "3", "4"], True)


def test_the_first_error_ends_map_and_drops_what_has_not_begun(run):
    def main():
        gate, called = Gate(), []

        def function(number):
            if number == 0:
                assert gate.opened.wait(30)
                raise LookupError("first")
            called.append(number)

        with ThreadPool(1, 3) as pool:
            results = pool.map(function, range(10))
            waiting = trueasync.spawn(next, results)
            trueasync.suspend()
            gate.opened.set()
            with pytest.raises(LookupError, match="first"):
                waiting.result()
        return len(called) < 4

    assert run(main)


def test_map_of_nothing_gives_nothing(run, make_pool):
    def main():
        with make_pool(1, 1) as pool:
            return list(pool.map(str, []))

    assert run(main) == []


# -- the end -------------------------------------------------------------------------------


def test_leaving_the_block_waits_for_all(run, make_pool):
    def main():
        gate = Gate()
        with make_pool(2, 10) as pool:
            calls = [pool.submit(gate, n) for n in range(8)]
            trueasync.spawn(gate.opened.set)
        return [call.done() for call in calls]

    assert run(main) == [True] * 8


def test_an_error_leaves_the_block_at_once_and_drops_what_has_not_begun(run, make_pool):
    gate, called, queued = Gate(), [], []

    def main():
        with make_pool(1, 2) as pool:
            pool.submit(gate)
            queued.append(pool.submit(called.append, 1))
            assert gate.entered.wait(30)
            raise LookupError

    def asks():
        with pytest.raises(LookupError):
            main()
        with pytest.raises((Cancelled, concurrent.futures.CancelledError)):
            queued[0].result()

    run(asks)
    gate.opened.set()

    assert called == []


def test_a_coroutine_cancelled_at_the_end_of_the_block_drops_the_rest(run, make_pool):
    gate, called = Gate(), []

    def uses():
        with make_pool(1, 2) as pool:
            pool.submit(gate)
            pool.submit(called.append, 1)
            assert gate.entered.wait(30)

    def main():
        using = trueasync.spawn(uses)
        trueasync.suspend()
        using.cancel()
        with pytest.raises(Cancelled):
            using.result()

    run(main)
    gate.opened.set()

    assert called == []


def test_a_closed_pool_takes_nothing_more(run, make_pool):
    def main():
        pool = make_pool(1, 0)
        pool.close()
        pool.close()
        with pytest.raises(UsageError, match="the pool is closed"):
            pool.submit(int)
        return repr(pool)

    assert run(main) == "<ThreadPool, 0 calls, closed>"


def test_closing_wakes_those_who_wait_to_submit(run, make_pool):
    def main():
        gate = Gate()
        pool = make_pool(1, 0)
        pool.submit(gate)
        waiting = trueasync.spawn(pool.submit, int)
        trueasync.suspend()
        closing = trueasync.spawn(pool.close)
        with pytest.raises(UsageError, match="the pool is closed"):
            waiting.result()
        gate.opened.set()
        closing.result()
        return pool.room.inside

    assert run(main) == 0


def test_an_executor_is_not_shut_down_with_the_pool(run):
    def main():
        with concurrent.futures.ThreadPoolExecutor(1) as executor:
            with ThreadPool(executor, 1) as pool:
                pool.call(int)
            return executor.submit(int).result()

    assert run(main) == 0


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_work_for_a_pool():
    def main():
        with concurrent.futures.ProcessPoolExecutor(2) as executor, ThreadPool(executor, 3) as pool:
            assert pool.call(os.getpid) != os.getpid()
            return list(pool.map(pow, range(20), itertools.repeat(2)))

    assert trueasync.run(main) == [number**2 for number in range(20)]


def test_a_run_may_end_with_calls_of_a_pool_that_nobody_closed(run, unraisable):
    gate = Gate()

    def main():
        pool = ThreadPool(1, 1)
        pool.submit(gate)
        pool.submit(int)

    run(main)
    gate.opened.set()

    assert unraisable == []


# -- misuse --------------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "queue_limit"), [(0, 1), (-1, 1), (1, -1), (2, -2)])
def test_a_pool_that_could_call_nothing_is_refused(workers, queue_limit):
    with pytest.raises(ValueError, match=r"at least 1 thread|could never call anything"):
        ThreadPool(workers, queue_limit)


def test_what_is_neither_a_number_nor_an_executor_is_refused():
    with pytest.raises(TypeError, match="executor"):
        ThreadPool("two")


def test_what_is_no_function_is_refused_and_takes_no_place(run):
    def main():
        with ThreadPool(1, 0) as pool:
            for _ in range(3):
                with pytest.raises(TypeError, match="is no function to call"):
                    pool.submit(5)
            return pool.room.inside, len(pool.calls)

    assert run(main) == (0, 0)


def test_submitting_outside_a_run_says_so():
    with pytest.raises(UsageError, match="ThreadPool"):
        ThreadPool(1).submit(int)


def test_a_call_is_subscriptable_for_type_hints():
    assert Call[int].__origin__ is Call

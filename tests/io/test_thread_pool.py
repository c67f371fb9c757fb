"""ThreadPool: bounds, back-pressure, results, cancellation, and the end."""

import concurrent.futures
import threading

import pytest
from gate import Gate

import trueasync
from trueasync import Cancelled, ThreadPool

# -- submit and its results ------------------------------------------------------------------


def test_results_and_errors_come_out(run, make_pool):
    def main():
        with make_pool(2, 2) as pool:
            good = pool.submit(divmod, 17, 5)
            named = pool.submit(sorted, [1, 2], reverse=True)
            bad = pool.submit(lambda: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                bad.result()
            return good.result(), named.result(), type(bad.exception()), good.exception()

    assert run(main) == ((3, 2), [2, 1], ZeroDivisionError, None)


def test_it_begins_without_anybody_waiting(run, make_pool):
    def main():
        gate = Gate()
        with make_pool(1, 0) as pool:
            call = pool.submit(gate, "value")
            assert gate.entered.wait(30)
            before = call.done()
            gate.opened.set()
        return before, call.done(), call.result()

    assert run(main) == (False, True, "value")


def test_a_result_has_a_timeout():
    def main():
        gate = Gate()
        with ThreadPool(1) as pool:
            call = pool.submit(gate, "value")
            with pytest.raises(TimeoutError, match=r"has not ended within 0\.001 s"):
                call.result(timeout=0.001)
            gate.opened.set()
            return call.result()

    assert trueasync.run(main) == "value"


def test_no_more_run_at_a_time_than_workers(run, make_pool):
    def main():
        lock, barrier = threading.Lock(), threading.Barrier(3)
        running, most = 0, 0

        def function():
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            barrier.wait(30)
            with lock:
                running -= 1

        with make_pool(3, 2) as pool:
            for _ in range(12):
                pool.submit(function)
        return most

    assert run(main) == 3


def test_select_takes_a_call(run, make_pool):
    def main():
        gate = Gate()
        with make_pool(2, 0) as pool:
            slow, quick = pool.submit(gate), pool.submit(int, "7")
            winner = trueasync.select(slow, quick)
            gate.opened.set()
        return winner

    assert run(main) == (1, 7)


def test_call_is_submit_and_result_in_one(run, make_pool):
    def main():
        with make_pool(1, 1) as pool:
            return pool.call(divmod, 17, 5)

    assert run(main) == (3, 2)


# -- back-pressure -------------------------------------------------------------------------


def test_submit_waits_while_the_queue_is_full(run, make_pool):
    def main():
        gate, events = Gate(), []

        def submits():
            for number in range(5):
                calls.append(pool.submit(gate, number))
                events.append(number)

        calls = []
        with make_pool(2, 1) as pool:
            trueasync.spawn(submits)
            for _ in range(20):
                trueasync.suspend()
            before = list(events)
            gate.opened.set()
            while len(events) < 5:
                trueasync.suspend()
        return before, [call.result() for call in calls]

    assert run(main) == ([0, 1, 2], [0, 1, 2, 3, 4])


def test_those_who_wait_to_submit_come_in_order(run, make_pool):
    def main():
        gate, order = Gate(), []
        with make_pool(1, 0) as pool:
            pool.submit(gate)
            waiting = [trueasync.spawn(lambda n=n: pool.submit(order.append, n)) for n in range(10)]
            trueasync.suspend()
            gate.opened.set()
            for coroutine in waiting:
                coroutine.result()
        return order

    assert run(main) == list(range(10))


def test_one_that_is_cancelled_while_it_waits_to_submit_takes_no_place(run, make_pool):
    def main():
        gate, called = Gate(), []
        with make_pool(1, 0) as pool:
            pool.submit(gate)
            leaving = trueasync.spawn(pool.submit, called.append, "leaving")
            staying = trueasync.spawn(pool.submit, called.append, "staying")
            trueasync.suspend()
            leaving.cancel()
            with pytest.raises(Cancelled):
                leaving.result()
            gate.opened.set()
            staying.result()
        return called

    assert run(main) == ["staying"]


def test_no_place_is_lost_whenever_those_who_wait_are_cancelled(seeds):
    def main():
        called = []
        with ThreadPool(1, 0) as pool:
            waiting = [trueasync.spawn(pool.submit, called.append, n) for n in range(6)]
            trueasync.suspend()
            for coroutine in waiting[::2]:
                trueasync.suspend()
                coroutine.cancel()
            for coroutine in waiting[1::2]:
                coroutine.result()
        room = pool.room
        return set(called) >= {1, 3, 5}, room.inside, len(room.line)

    for _ in seeds:
        assert trueasync.testing.run(main) == (True, 0, 0)


def test_runs_in_several_threads_share_a_pool(make_pool):
    pool, outcomes = make_pool(2, 1), []

    def use(name):
        def main():
            calls = [trueasync.spawn(pool.call, lambda n=n: (name, n)) for n in range(60)]
            return [call.result() for call in calls] == [(name, n) for n in range(60)]

        outcomes.append(trueasync.run(main))

    threads = [threading.Thread(target=use, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert outcomes == [True] * 4
    while pool.room.inside:  # who has the result may be faster than the place is given back
        pass


# -- cancelling ----------------------------------------------------------------------------


def test_a_queued_call_can_be_cancelled_and_a_running_one_not(run, make_pool):
    def main():
        gate, called = Gate(), []
        with make_pool(1, 2) as pool:
            running = pool.submit(gate)
            queued = pool.submit(called.append, 1)
            assert gate.entered.wait(30)
            could = running.cancel(), queued.cancel()
            with pytest.raises((Cancelled, concurrent.futures.CancelledError)):
                queued.result()
            gate.opened.set()
        return could, called

    assert run(main) == ((False, True), [])


def test_a_cancelled_call_gives_its_place_to_the_next(run, make_pool):
    def main():
        gate, called = Gate(), []
        with make_pool(1, 1) as pool:
            pool.submit(gate)
            queued = pool.submit(called.append, "queued")
            waiting = trueasync.spawn(pool.submit, called.append, "waiting")
            assert gate.entered.wait(30)
            trueasync.suspend()
            queued.cancel()
            waiting.result()
            gate.opened.set()
        return called

    assert run(main) == ["waiting"]


def test_call_withdraws_what_nobody_waits_for_any_more(run, make_pool):
    def main():
        gate, called = Gate(), []
        with make_pool(1, 1) as pool:
            pool.submit(gate)
            assert gate.entered.wait(30)
            waiting = trueasync.spawn(pool.call, called.append, 1)
            trueasync.suspend()
            waiting.cancel()
            with pytest.raises(Cancelled):
                waiting.result()
            gate.opened.set()
        return called

    assert run(main) == []


def test_an_error_nobody_asks_for_goes_to_the_hook(run, make_pool, unraisable):
    error = LookupError("nobody asks")

    def fails():
        raise error

    def main():
        with make_pool(1, 0) as pool:
            pool.submit(fails)

    run(main)

    assert unraisable == [error]


def test_an_error_that_was_asked_for_does_not(run, make_pool, unraisable):
    def main():
        with make_pool(1, 0) as pool:
            return type(pool.submit(lambda: 1 / 0).exception())

    assert run(main) is ZeroDivisionError
    assert unraisable == []

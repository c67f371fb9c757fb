"""A run in each of several threads: they share nothing."""

import threading

import pytest

import trueasync
from trueasync import DeadlockError
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler


def in_threads(count, function):
    """What `function(n)` returned or raised in each of `count` threads at once."""
    outcomes = [None] * count
    barrier = threading.Barrier(count)

    def body(n):
        barrier.wait()
        try:
            outcomes[n] = function(n)
        except BaseException as error:
            outcomes[n] = error

    threads = [threading.Thread(target=body, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_several_threads_run_at_once(run):
    def main(n):
        total = 0

        def add(value):
            nonlocal total
            for _ in range(20):
                trueasync.suspend()
            trueasync.sleep(0.001)
            total += value

        for value in range(100):
            trueasync.spawn(add, value)
        trueasync.sleep(0.01)
        while len(trueasync.get_coroutines()) > 1:
            trueasync.sleep(0.001)
        return n, total

    assert in_threads(4, lambda n: run(main, n)) == [(n, 4950) for n in range(4)]


def test_a_thread_sees_only_its_own_coroutines(run):
    def main():
        for _ in range(5):
            trueasync.spawn(trueasync.sleep, 0.001)
        return len(trueasync.get_coroutines()), trueasync.stats()["spawned"]

    assert in_threads(4, lambda n: run(main)) == [(6, 6)] * 4


def test_the_error_of_one_run_does_not_touch_the_others(run):
    def main(n):
        if n == 1:
            trueasync.spawn(lambda: 1 / 0)
        if n == 2:
            running_scheduler("test").wait(Event())
        trueasync.sleep(0.01)
        return n

    outcomes = in_threads(4, lambda n: run(main, n))

    assert [outcomes[0], outcomes[3]] == [0, 3]
    assert isinstance(outcomes[1], ZeroDivisionError)
    assert isinstance(outcomes[2], DeadlockError)


def test_threads_may_come_and_go_while_another_runs(run):
    def main():
        results = []

        def starts_a_thread():
            def other():
                results.append(run(lambda: trueasync.spawn(lambda: "inner").result()))

            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

        for _ in range(5):
            trueasync.spawn(starts_a_thread)
            trueasync.sleep(0.001)
        return results

    assert run(main) == ["inner"] * 5


def test_a_finished_coroutine_may_be_read_in_another_thread(run):
    coroutine = run(lambda: trueasync.spawn(lambda: "value"))

    assert in_threads(2, lambda n: (coroutine.done(), coroutine.result(), repr(coroutine)))[0][
        :2
    ] == (True, "value")


def test_an_error_may_be_taken_in_another_thread(run):
    coroutine = run(lambda: trueasync.spawn(lambda: 1 / 0))

    (outcome,) = in_threads(1, lambda n: coroutine.result())

    assert isinstance(outcome, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        coroutine.result()


def test_the_last_handle_may_go_in_another_thread(run):
    def main():
        held = [trueasync.spawn(lambda: "value")]
        trueasync.suspend()
        threading.Thread(target=held.clear).start()
        trueasync.sleep(0.001)
        return "unharmed"

    assert run(main) == "unharmed"


def test_garbage_of_one_run_may_be_collected_in_another_thread(run):
    import gc

    def make_garbage():
        def main():
            ring = []
            for _ in range(50):
                coroutine = trueasync.spawn(lambda: ring)
                ring.append(coroutine)
            trueasync.suspend()

        run(main)

    gc.disable()
    try:
        in_threads(2, lambda n: make_garbage())
        in_threads(1, lambda n: gc.collect())
    finally:
        gc.enable()

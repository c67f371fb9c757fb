"""map: the results of many calls, with a bound on how many there are at once."""

import gc
import itertools

import pytest

import trueasync
from trueasync import Cancelled, sleep, spawn
from trueasync import map as concurrent_map


def after(delay):
    sleep(delay)
    return delay


def test_results_come_in_the_order_of_the_items(run):
    assert run(lambda: list(concurrent_map(after, [0.03, 0.01, 0.02]))) == [0.03, 0.01, 0.02]


def test_or_as_the_calls_end(run):
    def main():
        return list(concurrent_map(after, [0.03, 0.01, 0.02], ordered=False))

    assert run(main) == [0.01, 0.02, 0.03]


def test_several_iterables_are_gone_through_together(run):
    assert run(lambda: list(concurrent_map(pow, [2, 3, 4], [5, 6]))) == [32, 729]


def test_nothing_gives_nothing(run):
    assert run(lambda: list(concurrent_map(after, []))) == []


@pytest.mark.parametrize("ordered", [True, False])
def test_never_more_than_asked_for_are_begun_and_not_given_out(ordered):
    def main():
        begun = []

        def work(number):
            begun.append(number)
            sleep(1)

        results = concurrent_map(work, itertools.count(), concurrency=3, ordered=ordered)
        with results:
            next(results)
            sleep(100)
            return begun

    assert len(trueasync.testing.run(main)) == 4


@pytest.mark.parametrize("ordered", [True, False])
def test_an_error_comes_in_its_place_and_ends_it(run, ordered):
    def work(number):
        sleep(number / 100)
        if number == 2:
            raise ValueError("two")
        return number

    def main():
        results = concurrent_map(work, [1, 2, 3], ordered=ordered)
        first = next(results)
        with pytest.raises(ValueError, match="two"):
            next(results)
        return first, list(results)

    assert run(main) == (1, [])


def test_an_error_of_the_iterable_comes_after_what_was_before_it(run):
    def items():
        yield 0.01
        sleep(0.001)
        raise LookupError("no more")

    def main():
        results = concurrent_map(after, items())
        first = next(results)
        with pytest.raises(LookupError, match="no more"):
            next(results)
        return first

    assert run(main) == 0.01


def test_results_do_not_wait_for_a_slow_iterable():
    def items():
        yield 1
        sleep(1000)
        yield 1

    def main():
        results = concurrent_map(after, items())
        next(results)
        early = trueasync.clock()
        return early, len(list(results))

    assert trueasync.testing.run(main) == (1, 1)


def test_who_closes_or_forgets_it_cancels_what_is_under_way(run):
    def main(end):
        cancelled = []

        def work(number):
            try:
                sleep(number)
            except Cancelled:
                cancelled.append(number)
                raise

        results = concurrent_map(work, [0, 100, 100])
        next(results)
        if end == "close":
            results.close()
        del results
        gc.collect()
        for _ in range(4):
            trueasync.suspend()
        return cancelled

    assert run(main, "close") == [100, 100]
    assert run(main, "forget") == [100, 100]


def test_cancelling_the_consumer_cancels_the_calls(run):
    def main():
        consumer = spawn(lambda: list(concurrent_map(sleep, [100, 100])))
        for _ in range(4):
            trueasync.suspend()
        consumer.cancel()
        with pytest.raises(Cancelled):
            consumer.result()

    run(main)


def test_each_item_is_given_out_once_in_any_order(seeds):
    def work(number):
        trueasync.suspend()
        return number

    def main():
        unordered = concurrent_map(work, range(10), concurrency=3, ordered=False)
        return list(concurrent_map(work, range(10), concurrency=3)), sorted(unordered)

    for _ in seeds:
        assert trueasync.testing.run(main) == (list(range(10)), list(range(10)))


def test_misuse_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        concurrent_map(after, [], concurrency=-1)
    with pytest.raises(TypeError, match="something to go through"):
        concurrent_map(after)

"""iterate: each item once, an exact bound, in whatever order coroutines get their turns."""

import contextvars
import itertools

import pytest

import trueasync
from trueasync import UsageError, iterate, sleep, spawn, suspend
from trueasync.testing import run


class Crowd:
    """Counts who is at work at the same time."""

    def __init__(self):
        self.now = 0
        self.most = 0
        self.seen = []

    def __enter__(self):
        self.now += 1
        self.most = max(self.most, self.now)

    def __exit__(self, *error):
        self.now -= 1

    def wait(self, item):
        with self:
            sleep(1)
            self.seen.append(item)

    def yield_often(self, item):
        with self:
            for _ in range(item % 4):
                suspend()
            self.seen.append(item)


def spawned():
    return trueasync.stats()["spawned"]


# -- each item once ----------------------------------------------------------------------


def test_each_item_goes_to_one_call(seeds):
    for schedule in seeds:
        crowd = Crowd()

        run(iterate, range(30), crowd.yield_often)

        assert sorted(crowd.seen) == list(range(30)), schedule


def test_each_item_goes_to_one_call_whatever_the_bound(seeds):
    for schedule in seeds:
        for concurrency in (1, 2, 5):
            crowd = Crowd()

            run(iterate, range(12), crowd.yield_often, concurrency)

            assert sorted(crowd.seen) == list(range(12)), (schedule, concurrency)


def test_calls_begin_in_the_order_of_the_items(seeds):
    for schedule in seeds:
        begun = []

        def work(item, begun=begun):
            begun.append(item)
            for _ in range(item % 3):
                suspend()

        run(iterate, range(20), work, 4)

        assert begun == list(range(20)), schedule


def test_no_items_are_no_calls():
    calls = []

    assert run(iterate, [], calls.append) is None
    assert calls == []


def test_it_returns_when_all_calls_have_ended():
    crowd = Crowd()

    def main():
        iterate(range(10), crowd.wait)
        return crowd.now, sorted(crowd.seen), trueasync.get_coroutines()

    now, seen, coroutines = run(main)

    assert (now, seen) == (0, list(range(10)))
    assert [coroutine.name.rpartition(".")[2] for coroutine in coroutines] == ["main"]


def test_two_iterations_share_one_iterator_without_an_item_lost_or_doubled(seeds):
    for schedule in seeds:
        crowd = Crowd()

        def main(crowd=crowd):
            items = iter(range(20))
            both = [spawn(iterate, items, crowd.yield_often, 2) for _ in range(2)]
            for one in both:
                one.result()

        run(main)

        assert sorted(crowd.seen) == list(range(20)), schedule
        assert crowd.most <= 4


def test_iterations_nest(seeds):
    for schedule in seeds:
        seen = []

        def outer(row, seen=seen):
            suspend()
            iterate(range(3), lambda column: (suspend(), seen.append((row, column))), 2)

        run(iterate, range(4), outer, 2)

        assert sorted(seen) == list(itertools.product(range(4), range(3))), schedule


# -- how many at the same time -----------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 2, 3, 7, 20])
def test_the_bound_is_reached_and_never_passed(concurrency, seeds):
    for schedule in seeds:
        crowd = Crowd()

        run(iterate, range(20), crowd.wait, concurrency)

        assert crowd.most == concurrency, schedule


def test_without_a_bound_all_wait_at_the_same_time():
    crowd = Crowd()

    run(iterate, range(1000), crowd.wait)

    assert crowd.most == 1000


def test_a_bound_above_the_number_of_items_is_no_bound():
    crowd = Crowd()

    run(iterate, range(5), crowd.wait, 100)

    assert crowd.most == 5


def test_work_that_never_waits_costs_one_coroutine():
    seen = []

    def main():
        before = spawned()
        iterate(range(100), seen.append, 10)
        return spawned() - before

    assert run(main) == 1
    assert seen == list(range(100))


def test_a_worker_is_added_only_when_the_one_with_the_iterator_waits():
    def work(item):
        if item in (10, 20):
            sleep(1)

    def main():
        before = spawned()
        iterate(range(30), work)
        return spawned() - before

    assert run(main) == 3


def test_coroutines_are_used_again_for_the_next_items():
    def main():
        before = spawned()
        iterate(range(100), lambda item: sleep(1), 4)
        return spawned() - before

    assert run(main) == 4


def test_fewer_than_none_at_a_time_is_refused():
    with pytest.raises(ValueError, match="concurrency must be 0 or more, not -1"):
        run(iterate, range(3), print, -1)


# -- iterators that wait -----------------------------------------------------------------


def test_an_iterator_may_wait_between_its_items(seeds):
    for schedule in seeds:
        crowd = Crowd()

        def items():
            for number in range(8):
                if number % 2:
                    sleep(0.5)
                yield number

        run(iterate, items(), crowd.wait, 3)

        # A generator entered twice at the same time would have raised ValueError.
        assert sorted(crowd.seen) == list(range(8)), schedule
        assert crowd.most <= 3


def test_others_work_while_the_iterator_waits():
    begun = []

    def items():
        yield "first"
        sleep(100)
        yield "second"

    def main():
        iterate(items(), lambda item: (begun.append(item), sleep(1), begun.append(item)))

    run(main)

    assert begun == ["first", "first", "second", "second"]


def test_an_iterator_that_waits_at_its_end_does_not_end_others_early(seeds):
    for schedule in seeds:
        crowd = Crowd()

        def items():
            yield from range(3)
            sleep(10)

        run(iterate, items(), crowd.wait, 2)

        assert sorted(crowd.seen) == [0, 1, 2], schedule


def test_the_items_of_an_infinite_iterator_are_taken_as_they_are_needed(seeds):
    class Enough(Exception):
        pass

    for schedule in seeds:
        taken = []

        def work(item, taken=taken):
            taken.append(item)
            suspend()
            if item == 20:
                raise Enough

        with pytest.raises(Enough):
            run(iterate, itertools.count(), work, 3)

        assert taken[:21] == list(range(21)), schedule
        assert len(taken) < 200, schedule


def test_what_is_not_iterable_is_refused():
    with pytest.raises(TypeError, match="not iterable"):
        run(iterate, 3, print)


# -- where and as whom -------------------------------------------------------------------


def test_outside_of_a_run_it_says_where_it_works():
    with pytest.raises(UsageError, match=r"works inside trueasync[.]run"):
        iterate([1], print)


def test_calls_see_the_contextvars_of_the_caller_and_keep_theirs_to_themselves(seeds):
    variable = contextvars.ContextVar("variable", default="unset")
    for schedule in seeds:
        seen = []

        def work(item, seen=seen):
            seen.append(variable.get())
            suspend()

        def stranger():
            variable.set("stranger's")
            for _ in range(20):
                suspend()

        def main(work=work):
            spawn(stranger)
            variable.set("caller's")
            iterate(range(6), work)
            return variable.get()

        assert run(main) == "caller's", schedule
        assert seen == ["caller's"] * 6, schedule


def test_the_workers_are_named_after_the_function():
    names = set()

    def work(item):
        names.add(trueasync.current_coroutine().name)

    run(iterate, [1], work)

    assert len(names) == 1
    assert "iterate(" in (name := names.pop())
    assert "work" in name


def test_a_caller_may_iterate_again_and_again():
    crowd = Crowd()

    def main():
        for _ in range(50):
            iterate(range(3), crowd.wait, 2)
        return trueasync.stats()["coroutines"]

    assert run(main) == 1
    assert len(crowd.seen) == 150

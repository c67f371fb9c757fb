"""The hooks of a pool may wait, fail and be cancelled: nothing is lost by that."""

import pytest
from natives import until, waiting
from resources import Resources, borrow, counts, outcome

import trueasync
from trueasync import Cancelled, Pool, current_coroutine, sleep, spawn, suspend

# -- hooks, and what goes wrong in them -----------------------------------------------------------


@pytest.mark.parametrize("says", ["false", "raises"])
def test_an_idle_one_that_is_not_fit_is_replaced(says, run):
    errors = []

    def main():
        resources = Resources()

        def is_fit(number):
            suspend()
            if number == 0:
                return fail() if says == "raises" else False
            return None  # a hook without an opinion

        pool = Pool(
            resources.make,
            destroy=resources.destroy,
            before_acquire=is_fit,
            on_error=errors.append,
        )
        return [borrow(pool), borrow(pool), borrow(pool)], resources.destroyed, counts(pool)

    assert run(main) == ([0, 1, 1], [0], (1, 0, 0))
    assert [type(error) for error in errors] == ([OSError] if says == "raises" else [])


def fail(*args):
    raise OSError("broken")


@pytest.mark.parametrize("says", ["false", "raises"])
def test_one_that_comes_back_broken_is_destroyed_and_its_slot_goes_on(says, seeds):
    def main():
        resources, errors = Resources(), []
        pool = Pool(
            resources.make,
            destroy=resources.destroy,
            before_release=fail if says == "raises" else lambda number: False,
            maximum=1,
            on_error=errors.append,
        )
        got = [outcome(c) for c in [spawn(borrow, pool) for _ in range(3)]]
        return sorted(got), resources.destroyed, len(errors), counts(pool)

    for _ in seeds:
        errors = 3 if says == "raises" else 0
        assert trueasync.testing.run(main) == ([0, 1, 2], [0, 1, 2], errors, (0, 0, 0))


def test_a_factory_that_fails_gives_its_slot_to_the_next(seeds):
    def main():
        attempts = []

        def make():
            attempts.append(1)
            suspend()
            if len(attempts) < 3:
                raise OSError("not yet")
            return "made"

        pool = Pool(make, maximum=1)
        outcomes = [outcome(c) for c in [spawn(borrow, pool) for _ in range(4)]]
        return sorted(map(str, outcomes)), counts(pool)

    for schedule in seeds:
        outcomes, left = trueasync.testing.run(main)
        assert outcomes.count("made") >= 2, schedule
        assert left == (1, 0, 0), schedule


def test_errors_of_destroy_do_not_reach_who_is_not_concerned(run):
    errors = []

    def main():
        pool = Pool(object, destroy=fail, before_release=lambda it: False, on_error=errors.append)
        borrow(pool)
        return counts(pool)

    assert run(main) == (0, 0, 0)
    assert [str(error) for error in errors] == ["broken"]


def test_without_anybody_to_tell_an_error_is_said_as_python_says_it(run, monkeypatch):
    said = []
    monkeypatch.setattr("sys.unraisablehook", said.append)

    def main():
        pool = Pool(object, destroy=fail, before_release=lambda it: False)
        borrow(pool)

    run(main)

    assert [type(one.exc_value) for one in said] == [OSError]


HOOKS = ("make", "destroy", "before_acquire", "before_release", "using")


@pytest.mark.parametrize("where", HOOKS)
def test_nothing_is_lost_wherever_a_borrower_is_cancelled(where, seeds):
    def main():
        resources, inside = Resources(), []

        def wait_in(name):
            if name == where and not inside:
                inside.append(current_coroutine())
                sleep(60)
            suspend()

        def destroy(number):
            resources.destroyed.append(number)
            wait_in("destroy")

        def use():
            with pool.acquire():
                wait_in("using")

        resources.wait = lambda: wait_in("make")
        pool = Pool(
            resources.make,
            destroy=destroy,
            before_acquire=lambda number: wait_in("before_acquire"),
            before_release=lambda number: wait_in("before_release") or where != "destroy",
            maximum=1,
        )
        coroutines = [spawn(use) for _ in range(4)]
        until(lambda: inside)
        inside[0].cancel()
        outcomes = [outcome(coroutine) for coroutine in coroutines]
        assert resources.alive == pool.idle == pool.total
        return outcomes.count(Cancelled), counts(pool)[1:]

    for schedule in seeds:
        assert trueasync.testing.run(main) == (1, (0, 0)), schedule


def test_who_is_cancelled_in_line_leaves_it_and_who_was_given_one_keeps_it(seeds):
    def main():
        pool, seen = Pool(object, maximum=1), []
        with pool.acquire():
            waits = [spawn(borrow, pool, seen) for _ in range(3)]
            until(waiting(pool, 3))
            waits[0].cancel()
        for coroutine in waits:
            coroutine.cancel()  # one of them has been given it, and is cancelled while it uses it
        outcomes = [outcome(coroutine) for coroutine in waits]
        return outcomes, len(seen), counts(pool)

    for schedule in seeds:
        assert trueasync.testing.run(main) == ([Cancelled] * 3, 1, (1, 0, 0)), schedule

"""Pool: resources are lent in order, counted exactly, and destroyed where they are not fit."""

import pytest
from natives import until, waiting
from resources import Resources, borrow, counts, outcome

import trueasync
from trueasync import Pool, PoolClosed, sleep, spawn, suspend


def fail(*args):
    raise OSError("broken")


# -- lending ----------------------------------------------------------------------------------


def test_what_comes_back_is_lent_again(run):
    def main():
        resources = Resources()
        pool = Pool(resources.make)
        seen = [borrow(pool) for _ in range(5)]
        return seen, counts(pool), pool.total, pool.idle

    assert run(main) == ([0] * 5, (1, 0, 0), 1, 1)


def test_never_more_than_the_maximum_exist(seeds):
    def main():
        resources = Resources()
        pool, most = Pool(resources.make, destroy=resources.destroy, maximum=3), []

        def use():
            with pool.acquire() as resource:
                assert resource not in resources.lent, "lent to two"
                resources.lent.add(resource)
                most.append(resources.alive)
                suspend()
                resources.lent.remove(resource)

        for coroutine in [spawn(use) for _ in range(20)]:
            coroutine.result()
        return max(most), counts(pool)

    for _ in seeds:
        most, left = trueasync.testing.run(main)
        assert most <= 3
        assert left == (most, 0, 0)


def test_who_waited_first_gets_it_first(seeds):
    def main():
        pool, served = Pool(object, maximum=1), []

        def use(number):
            with pool.acquire():
                served.append(number)
                suspend()

        with pool.acquire():
            for number in range(5):
                spawn(use, number)
                until(waiting(pool, number + 1))
        with pool.acquire():  # and who has just given it back goes behind them
            served.append("main")
        return served

    for _ in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2, 3, 4, "main"]


def test_a_borrower_gives_up_after_its_timeout(run):
    def main():
        pool = Pool(object, maximum=1)
        with pool.acquire():
            for timeout in (0, 0.01):
                with pytest.raises(TimeoutError, match="Pool of 1, 0 idle, 1 in use"):
                    pool.acquire(timeout)
        return counts(pool)

    assert run(main) == (1, 0, 0)


def test_the_minimum_is_made_at_once_and_all_or_nothing(run):
    def fail_third():
        if len(made) == 2:
            raise OSError("no third one")
        made.append(1)
        return len(made)

    made, destroyed = [], []

    def main():
        pool = Pool(object, minimum=3)
        first = counts(pool)
        with pytest.raises(OSError, match="no third one"):
            Pool(fail_third, destroy=destroyed.append, minimum=3)
        return first

    assert run(main) == (3, 0, 0)
    assert sorted(destroyed) == [1, 2]


def test_it_works_in_native_threads_and_between_runs(thread):
    resources = Resources(wait=lambda: None)
    pool, seen = Pool(resources.make, maximum=2), []

    def use():
        for _ in range(50):
            with pool.acquire() as resource:
                assert resource not in resources.lent
                resources.lent.add(resource)
                seen.append(resource)
                resources.lent.remove(resource)

    def main():
        for _ in range(3):
            spawn(use)

    workers = [thread(trueasync.run, main) for _ in range(2)] + [thread(use) for _ in range(2)]
    for worker in workers:
        worker.result()

    assert len(seen) == 8 * 50
    assert counts(pool)[1:] == (0, 0)


# -- a loan ---------------------------------------------------------------------------------------


def test_a_loan_is_given_back_once(run):
    def main():
        pool = Pool(object)
        loan = pool.acquire()
        words = repr(loan)
        loan.release()
        for again in (loan.release, loan.discard, lambda: loan.resource):
            with pytest.raises(RuntimeError, match="given back"):
                again()
        return words.startswith("<Loan of <object"), repr(loan), counts(pool)

    assert run(main) == (True, "<Loan, given back>", (1, 0, 0))


def test_what_is_discarded_is_destroyed_and_its_slot_goes_on(seeds):
    def main():
        resources = Resources()
        pool = Pool(resources.make, destroy=resources.destroy, maximum=1)
        with pool.acquire() as first:
            waits = spawn(borrow, pool)
            until(waiting(pool, 1))
        second = waits.result()
        loan = pool.acquire()
        waits = spawn(borrow, pool)
        until(waiting(pool, 1))
        loan.discard()
        third = waits.result()
        return first, second, third, resources.destroyed, counts(pool)

    for _ in seeds:
        assert trueasync.testing.run(main) == (0, 0, 1, [0], (1, 0, 0))


def test_a_loan_that_was_forgotten_is_destroyed_with_a_warning(run):
    def main():
        resources = Resources()
        pool = Pool(resources.make, destroy=resources.destroy, maximum=1)
        with pytest.warns(ResourceWarning, match="0 was not given back"):
            pool.acquire()
        return resources.destroyed, borrow(pool), counts(pool)

    assert run(main) == ([0], 1, (1, 0, 0))


# -- the end --------------------------------------------------------------------------------------


def test_closing_tells_who_waits_and_destroys_the_idle_now_and_the_lent_later(seeds):
    def main():
        resources = Resources()
        pool = Pool(resources.make, destroy=resources.destroy, maximum=2, minimum=2)
        lent = pool.acquire()
        borrow(pool)
        other = pool.acquire()
        waits = [spawn(borrow, pool) for _ in range(3)]
        until(waiting(pool, 3))
        lent.release()
        waits.append(spawn(borrow, pool))
        pool.close()
        ended = [outcome(coroutine) for coroutine in waits]
        idle = list(resources.destroyed)
        other.release()
        pool.close()
        with pytest.raises(PoolClosed):
            pool.acquire()
        return ended.count(PoolClosed), len(idle), resources.alive, pool.total

    for _ in seeds:
        refused, idle, alive, total = trueasync.testing.run(main)
        assert refused == 3
        assert idle <= 1
        assert (alive, total) == (0, 0)


def test_what_is_being_made_while_it_closes_is_destroyed(run):
    def main():
        resources = Resources(wait=lambda: sleep(1))
        pool = Pool(resources.make, destroy=resources.destroy)
        borrower = spawn(borrow, pool)
        suspend()
        pool.close()
        return outcome(borrower), resources.destroyed, pool.total

    assert run(main) == (PoolClosed, [0], 0)


def test_closing_raises_what_destroy_raised_when_all_are_destroyed(run):
    tried = []

    def fail_to_destroy(resource):
        tried.append(resource)
        raise OSError("broken")

    def main():
        pool = Pool(object, destroy=fail_to_destroy, minimum=2)
        with pytest.raises(Exception, match="could not be destroyed") as caught:
            pool.close()
        return [str(error) for error in caught.value.exceptions], pool.total

    assert run(main) == (["broken", "broken"], 0)
    assert len(tried) == 2


def test_the_error_of_the_block_wins_over_those_of_the_close(run):
    errors = []

    def main():
        with (
            pytest.raises(ZeroDivisionError),
            Pool(object, destroy=fail, minimum=1, on_error=errors.append),
        ):
            raise ZeroDivisionError

    run(main)

    assert [str(error) for error in errors] == ["broken"]


def test_what_makes_no_sense_is_refused():
    for wrong in ({"maximum": 0}, {"minimum": 3, "maximum": 2}, {"minimum": -1}):
        with pytest.raises(ValueError, match="maximum of 1 or more"):
            Pool(object, **wrong)
    with pytest.raises(ValueError, match="check_every"):
        Pool(object, check_every=0)

"""The health checks of a pool: what lies idle is looked at, and nothing is kept going by it."""

import gc
import threading
import weakref

from natives import until, waiting

import trueasync
from trueasync import CircuitBreaker, Pool, sleep, spawn, suspend
from trueasync.testing import run


class Resource:
    fit = True


def borrow(pool):
    with pool.acquire() as resource:
        suspend()
        return resource


def test_what_is_not_fit_is_destroyed_and_the_minimum_is_made_again():
    def main():
        destroyed = []
        pool = Pool(
            Resource,
            destroy=destroyed.append,
            check=lambda resource: resource.fit,
            check_every=10,
            minimum=2,
        )
        loan = pool.acquire()
        borrow(pool).fit = False
        sleep(11)
        counted = len(destroyed), pool.idle, pool.total
        loan.release()
        return counted

    assert run(main) == (1, 1, 2)


def test_a_check_that_raises_says_no():
    def main():
        def check(resource):
            raise OSError("gone")

        pool = Pool(Resource, check=check, check_every=10)
        borrow(pool)
        sleep(11)
        return pool.total

    assert run(main) == 0


def test_it_looks_again_and_again():
    def main():
        seen = []
        pool = Pool(Resource, check=seen.append, check_every=10)
        borrow(pool)
        sleep(55)
        return len(seen), pool.idle

    assert run(main) == (5, 1)


def test_only_what_is_idle_is_looked_at_and_is_not_lent_meanwhile(seeds):
    def main():
        looked_at = []

        def check(resource):
            looked_at.append(resource)
            sleep(1)
            looked_at.remove(resource)

        pool = Pool(Resource, check=check, check_every=10, maximum=3)
        loans = [pool.acquire() for _ in range(3)]
        loans.pop().release()

        def use():
            with pool.acquire() as resource:
                assert resource not in looked_at
                sleep(0.5)
                assert resource not in looked_at

        sleep(10.5)
        for coroutine in [spawn(use) for _ in range(3)]:
            coroutine.result()
        for loan in loans:
            loan.release()
        return pool.idle, pool.total

    for _ in seeds:
        assert run(main) == (3, 3)


def test_who_waits_gets_what_was_looked_at(seeds):
    def main():
        pool = Pool(Resource, check=lambda resource: sleep(1), check_every=10, maximum=1)
        first = borrow(pool)
        sleep(10.5)
        waits = spawn(borrow, pool)
        until(waiting(pool, 1))
        return waits.result() is first

    for _ in seeds:
        assert run(main) is True


def test_who_waits_gets_the_slot_of_what_was_not_fit(seeds):
    def main():
        def check(resource):
            sleep(1)
            return False

        pool = Pool(Resource, check=check, check_every=10, maximum=1)
        first = borrow(pool)
        sleep(10.5)
        waits = spawn(borrow, pool)
        until(waiting(pool, 1))
        return waits.result() is first, pool.total

    for _ in seeds:
        assert run(main) == (False, 1)


def test_it_keeps_no_run_going():
    pool = Pool(Resource, check=lambda resource: True, check_every=0.001)

    trueasync.run(borrow, pool)
    run(borrow, pool)

    assert pool.idle == 1


def test_each_run_that_uses_the_pool_has_it_looked_at():
    seen = []
    pool = Pool(Resource, check=seen.append, check_every=10)

    def main():
        borrow(pool)
        sleep(11)

    run(main)
    run(main)

    assert len(seen) == 2


def test_it_keeps_no_pool_alive():
    def main():
        pool = Pool(Resource, check=lambda resource: True, check_every=10)
        borrow(pool)
        gone = weakref.ref(pool)
        del pool
        gc.collect()
        sleep(30)
        return gone()

    assert run(main) is None


def test_a_closed_pool_is_looked_at_no_more():
    def main():
        seen = []

        def check(resource):
            seen.append(resource)
            sleep(1)

        pool = Pool(Resource, check=check, check_every=10)
        borrow(pool)
        sleep(10.5)  # and it closes while it is being looked at
        pool.close()
        sleep(30)
        return len(seen), pool.total

    assert run(main) == (1, 0)


def test_while_the_breaker_is_open_nothing_is_made():
    def main():
        made = []

        def make():
            made.append(1)
            return Resource()

        breaker = CircuitBreaker(pause=100)
        pool = Pool(make, check=lambda it: False, check_every=10, minimum=1, breaker=breaker)
        borrow(pool)
        breaker.open()
        sleep(15)
        missing = pool.total
        breaker.close()
        sleep(10)
        return missing, pool.total, len(made)

    assert run(main) == (0, 1, 2)


def test_in_a_native_thread_nobody_looks():
    pool = Pool(Resource, check=lambda resource: True, check_every=0.001)
    native = threading.Thread(target=borrow_natively, args=(pool,))
    native.start()
    native.join()

    assert pool.idle == 1


def borrow_natively(pool):
    with pool.acquire():
        pass


def test_the_refill_that_fails_is_told_and_tried_again():
    errors = []

    def main():
        attempts = []

        def make():
            attempts.append(1)
            if len(attempts) == 2:
                raise OSError("down")
            return Resource()

        pool = Pool(
            make,
            check=lambda it: len(attempts) != 1,
            check_every=10,
            minimum=1,
            on_error=errors.append,
        )
        borrow(pool)
        sleep(15)
        missing = pool.total
        sleep(10)
        return missing, pool.total

    assert run(main) == (0, 1)
    assert [str(error) for error in errors] == ["down"]

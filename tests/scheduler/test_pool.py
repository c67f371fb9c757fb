"""ContextPool: grows with demand, is reused, shrinks as time passes, and says so."""

import pytest

import trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run


def burst(count):
    coroutines = [trueasync.spawn(trueasync.sleep, 0.001) for _ in range(count)]
    for coroutine in coroutines:
        coroutine.result()


def contexts():
    stats = trueasync.stats()
    return stats["contexts_in_use"], stats["contexts_idle"], stats["contexts_created"]


def test_the_pool_grows_with_demand():
    def main():
        burst(100)
        return contexts()

    assert run(main) == (1, 100, 101)


def test_a_second_burst_reuses_the_contexts_of_the_first():
    def main():
        for _ in range(10):
            burst(100)
        return contexts()

    assert run(main) == (1, 100, 101)


def test_contexts_in_use_are_those_of_coroutines_that_have_started():
    def main():
        for _ in range(20):
            trueasync.spawn(trueasync.sleep, 1)
        before = contexts()[0]
        trueasync.suspend()
        during = contexts()[0]
        trueasync.sleep(2)
        return before, during, contexts()[0]

    assert run(main) == (1, 21, 1)


def test_the_pool_shrinks_while_time_passes():
    def main():
        burst(1000)
        sizes = []
        for _ in range(20):
            trueasync.sleep(1)
            sizes.append(contexts()[1])
        return sizes

    sizes = run(main)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] >= 500
    assert sizes[-1] <= 16


def test_the_pool_shrinks_during_one_long_wait():
    def main():
        burst(1000)
        trueasync.sleep(3600)
        return contexts()[1]

    assert run(main) <= 16


def test_a_pool_that_shrinks_does_not_change_when_sleepers_wake():
    def main():
        burst(5000)
        wakes = []

        def sleeper(seconds):
            trueasync.sleep(seconds)
            wakes.append(seconds)

        for seconds in (0.5, 1.0, 1.5, 2.25, 7.125, 30.0):
            trueasync.spawn(sleeper, seconds)
        trueasync.sleep(60)
        return wakes

    assert run(main) == [0.5, 1.0, 1.5, 2.25, 7.125, 30.0]


def test_a_few_idle_contexts_are_kept_for_good():
    def main():
        burst(10)
        trueasync.sleep(3600)
        return contexts()

    assert run(main) == (1, 10, 11)


def test_what_recent_bursts_needed_is_kept():
    def main():
        kept = []
        for _ in range(10):
            burst(200)
            trueasync.sleep(0.5)
            kept.append(contexts()[1])
        return kept, contexts()[2]

    kept, created = run(main)
    assert min(kept) == 200
    assert created == 201


def test_the_pool_shrinks_while_one_coroutine_yields_alone():
    def main():
        burst(1000)
        clock = running_scheduler("test").reactor
        me = trueasync.current_coroutine()
        for _ in range(20):
            clock.time += 1
            for _ in range(100):
                trueasync.suspend()
                assert trueasync.current_coroutine() is me
        return me.state, contexts()[1] <= 16

    assert run(main) == ("running", True)


def test_the_pool_shrinks_under_pure_yielding_too():
    def main():
        burst(1000)
        clock = running_scheduler("test").reactor
        sizes = []
        other = trueasync.spawn(lambda: [trueasync.suspend() for _ in range(10_000)])
        for _ in range(20):
            clock.time += 1  # nobody waits, and time passes all the same
            for _ in range(100):
                trueasync.suspend()
            sizes.append(contexts()[1])
        other.cancel()
        return sizes

    sizes = run(main)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= 16


@pytest.mark.parametrize("burst_size", [17, 1024, 1025, 3000])
def test_a_pool_can_give_back_any_number(burst_size):
    def main():
        burst(burst_size)
        trueasync.sleep(3600)
        burst(burst_size)
        return contexts()[:2]

    assert run(main) == (1, burst_size)


def test_contexts_are_never_lost_under_every_schedule(seeds):
    def main():
        def body(n):
            for _ in range(n % 4):
                trueasync.suspend()
            if n % 5 == 0:
                trueasync.current_coroutine().cancel()
                trueasync.suspend()
            if n % 7 == 0:
                trueasync.spawn(body, n + 1)

        for n in range(60):
            trueasync.spawn(body, n)
        trueasync.sleep(0.5)
        in_use, idle, created = contexts()
        assert in_use == 1
        assert in_use + idle == created

    for _ in seeds:
        run(main)

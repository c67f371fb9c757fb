"""sleep: an hour passes, and the test takes a millisecond."""

import time

import pytest

import trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def test_the_shorter_sleep_wakes_first():
    def main():
        order = []
        trueasync.spawn(lambda: (trueasync.sleep(3600), order.append("long")))
        trueasync.spawn(lambda: (trueasync.sleep(1), order.append("short")))
        trueasync.sleep(7200)
        return order, now()

    assert run_virtual(main) == (["short", "long"], 7200)


def test_equal_sleeps_wake_in_the_order_they_began(run):
    def main():
        order = []
        for n in range(50):
            trueasync.spawn(lambda n=n: (trueasync.sleep(0.002), order.append(n)))
        trueasync.sleep(0.05)
        return order

    assert run(main) == list(range(50))


def test_sleeps_wake_in_the_order_of_their_deadlines():
    import random

    def main():
        order = []
        delays = list(range(1, 500))
        random.Random(1).shuffle(delays)
        for delay in delays:
            trueasync.spawn(lambda delay=delay: (trueasync.sleep(delay), order.append(delay)))
        trueasync.sleep(1000)
        return order

    assert run_virtual(main) == list(range(1, 500))


def test_sleeping_no_time_lets_those_who_may_run_go_first(run):
    def main():
        order = []
        trueasync.spawn(order.append, "other")
        trueasync.sleep(0)
        order.append("main")
        return order

    assert run(main) == ["other", "main"]


def test_sleeping_no_time_does_not_go_to_the_reactor():
    def main():
        polls = trueasync.stats()["polls"]
        for _ in range(10):
            trueasync.sleep(0)
        return trueasync.stats()["polls"] - polls

    assert run_virtual(main) == 0


def test_a_sleep_may_be_an_integer_or_a_float(run):
    class Seconds:
        def __float__(self):
            return 0.001

    def main():
        trueasync.sleep(0.001)
        trueasync.sleep(False)
        trueasync.sleep(Seconds())

    run(main)


def test_a_sleep_without_end_can_be_cancelled(run):
    def main():
        coroutine = trueasync.spawn(trueasync.sleep, float("inf"))
        trueasync.sleep(0.001)
        coroutine.cancel()
        trueasync.sleep(0.001)
        return coroutine.cancelled()

    assert run(main)


def test_the_real_clock_is_never_early():
    delays = [0.0001, 0.001, 0.0015, 0.003]

    def main():
        def sleeper(delay):
            start = time.monotonic()
            trueasync.sleep(delay)
            return time.monotonic() - start - delay

        return [coroutine.result() for coroutine in [trueasync.spawn(sleeper, d) for d in delays]]

    assert min(trueasync.run(main)) >= 0


def test_time_is_measured_from_the_call_and_not_from_the_last_poll(run):
    """A timer armed on a stale clock would be due at once after a busy time."""

    def main():
        clock = running_scheduler("test").reactor
        trueasync.sleep(0.001)
        if isinstance(clock, trueasync.testing.VirtualReactor):
            clock.time += 0.02
        else:
            busy_until = time.monotonic() + 0.02
            while time.monotonic() < busy_until:
                pass
        start = clock.now()
        trueasync.sleep(0.005)
        return clock.now() - start

    assert run(main) >= 0.005 - 1e-9


@pytest.mark.parametrize("count", [1, 1000])
def test_sleepers_that_all_end_leave_no_timer(run, count):
    def main():
        for _ in range(count):
            trueasync.spawn(trueasync.sleep, 0.001)
        trueasync.sleep(0.01)
        while trueasync.stats()["coroutines"] > 1:
            trueasync.sleep(0.001)
        return trueasync.stats()["active_events"]

    assert run(main) == 0


def test_nobody_oversleeps_under_any_schedule(seeds):
    def main():
        def sleeper(seconds):
            start = now()
            trueasync.sleep(seconds)
            assert now() - start == pytest.approx(seconds)

        for n in range(10):
            trueasync.spawn(sleeper, n / 4)
        trueasync.sleep(10)

    for _ in seeds:
        run_virtual(main)

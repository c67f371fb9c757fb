"""result(timeout): whichever comes first, the end or the time."""

import pytest

import trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def test_a_result_in_time_is_returned(run):
    def main():
        return trueasync.spawn(lambda: trueasync.sleep(0.001) or "value").result(timeout=60)

    assert run(main) == "value"


def test_a_result_too_late_is_a_timeout(run):
    def main():
        coroutine = trueasync.options(name="slow").spawn(trueasync.sleep, 60)
        with pytest.raises(TimeoutError, match=r"slow has not finished within 0\.002 s"):
            coroutine.result(timeout=0.002)
        coroutine.cancel()

    run(main)


def test_the_timeout_ends_after_that_time():
    def main():
        coroutine = trueasync.spawn(trueasync.sleep, 60)
        with pytest.raises(TimeoutError):
            coroutine.result(timeout=2)
        return now()

    assert run_virtual(main) == 2


def test_a_timeout_leaves_the_coroutine_alone():
    def main():
        coroutine = trueasync.spawn(lambda: trueasync.sleep(60) or "value")
        with pytest.raises(TimeoutError):
            coroutine.result(timeout=2)
        return coroutine.result(), now()

    assert run_virtual(main) == ("value", 60)


@pytest.mark.parametrize("timeout", [1, 100], ids=["times out", "in time"])
def test_afterwards_the_timer_is_stopped(timeout):
    def main():
        coroutine = trueasync.spawn(trueasync.sleep, 10)
        try:
            coroutine.result(timeout)
        except TimeoutError:
            coroutine.cancel()
            trueasync.suspend()
        return trueasync.stats()["active_events"]

    assert run_virtual(main) == 0


def test_the_stopped_timer_keeps_nobody_waiting():
    def main():
        trueasync.spawn(lambda: None).result(timeout=3600)
        scheduler = running_scheduler("test")
        trueasync.sleep(1)
        return scheduler

    assert run_virtual(main).reactor.now() == 1


def test_a_timeout_of_zero_lets_those_who_may_run_finish_first():
    def main():
        return trueasync.spawn(lambda: "value").result(timeout=0)

    assert run_virtual(main) == "value"


def test_a_finished_coroutine_gives_its_result_whatever_the_timeout():
    def main():
        coroutine = trueasync.spawn(lambda: "value")
        coroutine.result()
        switches = trueasync.stats()["switches"]
        result = coroutine.result(timeout=0)
        return result, trueasync.stats()["switches"] - switches

    assert run_virtual(main) == ("value", 0)


@pytest.mark.parametrize("timeout", [-1, float("nan")])
def test_a_timeout_that_is_none_is_refused(timeout):
    def main():
        coroutine = trueasync.spawn(trueasync.sleep, 1)
        with pytest.raises(ValueError, match="0 or more seconds"):
            coroutine.result(timeout)

    run_virtual(main)


def test_many_may_wait_for_one_with_a_timeout_each():
    def main():
        coroutine = trueasync.spawn(lambda: trueasync.sleep(5) or "value")

        def ask(timeout):
            try:
                return coroutine.result(timeout), now()
            except TimeoutError:
                return "late", now()

        askers = [trueasync.spawn(ask, timeout) for timeout in (1, 4, 6, None)]
        return [asker.result() for asker in askers]

    assert run_virtual(main) == [("late", 1), ("late", 4), ("value", 5), ("value", 5)]


def test_waiting_for_oneself_is_refused():
    def main():
        me = trueasync.current_coroutine()
        with pytest.raises(trueasync.UsageError, match="its own result"):
            me.result()
        with pytest.raises(trueasync.UsageError, match="its own result"):
            me.result(timeout=1)

    run_virtual(main)


def test_end_and_timeout_at_the_same_moment_lose_nothing_under_every_schedule(seeds):
    def main():
        coroutine = trueasync.spawn(lambda: trueasync.sleep(1) or "value")

        def ask():
            try:
                return coroutine.result(timeout=1)
            except TimeoutError:
                return coroutine.result()

        askers = [trueasync.spawn(ask) for _ in range(5)]
        return [asker.result() for asker in askers], trueasync.stats()["active_events"]

    for _ in seeds:
        assert run_virtual(main) == (["value"] * 5, 0)

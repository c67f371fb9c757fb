"""trueasync.shutdown(): the program asks for the end of its run."""

import threading

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.settings import Settings
from trueasync.testing import VirtualReactor
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def times_of_both_cancellations(grace, stop):
    """When one that ignores its first cancellation got that, and the second."""
    times = []

    def stubborn():
        for _ in range(2):
            try:
                trueasync.sleep(10**6)
            except Cancelled:
                times.append(now())

    def main():
        trueasync.spawn(stubborn)
        trueasync.sleep(1)
        stop()
        trueasync.sleep(10**6)

    run_on(VirtualReactor(), main, settings=Settings(grace=grace))
    return times


def test_everyone_is_cancelled_may_clean_up_and_run_returns(run):
    order = []

    def sleeper():
        try:
            trueasync.sleep(3600)
        except Cancelled as cancelled:
            order.append(str(cancelled))
            trueasync.sleep(0.001)
            order.append("cleaned up")

    def main():
        trueasync.spawn(sleeper)
        trueasync.suspend()
        trueasync.shutdown()
        order.append("main goes on to its next wait")
        trueasync.sleep(3600)
        order.append("never")

    assert run(main) is None
    line = main.__code__.co_firstlineno + 3
    assert order == [
        "main goes on to its next wait",
        f"the run is shut down by trueasync.shutdown() at {__file__}:{line}",
        "cleaned up",
    ]


def test_what_main_returns_comes_out_of_run(run):
    def main():
        trueasync.shutdown()
        try:
            trueasync.sleep(3600)
        except Cancelled:
            return "value"

    assert run(main) == "value"
    assert run(lambda: trueasync.shutdown() or "at once") == "at once"


def test_a_coroutine_may_ask_and_others_may_be_waiting_for_it(run):
    def asks():
        trueasync.shutdown()

    assert run(lambda: trueasync.spawn(asks).result()) is None


def test_errors_of_the_clean_ups_come_out_of_run(run):
    def fails():
        try:
            trueasync.sleep(3600)
        finally:
            raise ValueError("in the clean-up")

    def main():
        trueasync.spawn(fails)
        trueasync.suspend()
        trueasync.shutdown()
        trueasync.sleep(3600)

    with pytest.raises(ValueError, match="in the clean-up"):
        run(main)


def test_a_main_that_was_cancelled_otherwise_is_an_error_as_ever(run):
    def main():
        trueasync.current_coroutine().cancel()
        trueasync.sleep(3600)

    with pytest.raises(Cancelled):
        run(main)


@pytest.mark.parametrize("grace", [0, 0.5, 60])
def test_the_grace_is_that_of_the_run(grace):
    assert times_of_both_cancellations(grace, trueasync.shutdown) == [1, 1 + grace]


def test_a_grace_of_its_own_goes_before_that_of_the_run():
    def stop():
        trueasync.shutdown(grace=5)

    assert times_of_both_cancellations(60, stop) == [1, 6]


def test_an_endless_grace_lasts_as_long_as_the_clean_ups():
    assert times_of_both_cancellations(float("inf"), trueasync.shutdown) == [1, 1 + 10**6][:1]


def test_asked_again_it_can_only_hurry():
    def stop(*graces):
        for grace in graces:
            trueasync.shutdown(grace=grace)

    assert times_of_both_cancellations(60, lambda: stop(5, 60)) == [1, 6]
    assert times_of_both_cancellations(60, lambda: stop(60, 5)) == [1, 6]
    assert times_of_both_cancellations(60, lambda: stop(None, None)) == [1, 61]


def test_asked_for_in_the_hard_phase_it_does_nothing():
    def main():
        trueasync.shutdown(grace=0)
        for _ in range(2):
            try:
                trueasync.sleep(3600)
            except Cancelled:
                pass
        trueasync.shutdown()
        return "value"

    assert run_virtual(main) == "value"


def test_it_ends_the_run_it_is_called_in_and_no_other():
    inside, done, results = threading.Event(), threading.Event(), []

    def other():
        inside.set()
        done.wait()
        trueasync.sleep(0.001)
        return "went on"

    thread = threading.Thread(target=lambda: results.append(trueasync.run(other)))
    thread.start()
    inside.wait()
    run_virtual(trueasync.shutdown)
    done.set()
    thread.join()

    assert results == ["went on"]


def test_outside_a_run_it_says_that_there_is_none():
    with pytest.raises(trueasync.UsageError, match="no run is going on"):
        trueasync.shutdown()


@pytest.mark.parametrize("grace", [-1, float("nan")])
def test_a_grace_that_cannot_be_is_refused(grace):
    with pytest.raises(ValueError, match="the grace must be 0 or more"):
        run_virtual(trueasync.shutdown, grace=grace)


def test_under_every_schedule_everyone_ends_and_nobody_twice(seeds):
    def main():
        ended = []

        def body(n):
            try:
                for _ in range(n):
                    trueasync.suspend()
                if n == 4:
                    trueasync.shutdown(grace=n)
                trueasync.sleep(1000)
            finally:
                trueasync.sleep(n)
                ended.append(n)

        started = [trueasync.spawn(body, n) for n in range(8)]
        try:
            trueasync.sleep(1000)
        except Cancelled:
            pass
        trueasync.sleep(100)
        return ended, [one.done() for one in started]

    for _ in seeds:
        ended, done = run_virtual(main) or ([], [True] * 8)
        assert len(ended) == len(set(ended))
        assert all(done)

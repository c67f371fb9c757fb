"""timeout, deadline, move_on: which block ends, and when nothing happens."""

import math
import time

import pytest

import trueasync
from trueasync import (
    Cancelled,
    UsageError,
    clock,
    deadline,
    move_on,
    sleep,
    spawn,
    timeout,
)
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def forever():
    sleep(3600)


def test_what_takes_too_long_raises_timeout_error(run):
    def main():
        with timeout(0.001):
            forever()

    with pytest.raises(
        TimeoutError, match=r"below .*test_timeout.py:\d+ was not done within 0.001"
    ):
        run(main)


def test_the_timeout_error_has_the_wait_it_ended_as_its_cause():
    def main():
        with timeout(1):
            forever()

    with pytest.raises(TimeoutError) as raised:
        run_virtual(main)
    cause = raised.value.__cause__
    names = []
    traceback = cause.__traceback__
    while traceback is not None:
        names.append(traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    assert type(cause) is Cancelled
    assert "forever" in names


def test_what_is_done_in_time_is_not_disturbed():
    def main():
        with timeout(2) as limit:
            sleep(1)
        sleep(5)
        return limit.expired, clock(), trueasync.stats()["active_events"]

    assert run_virtual(main) == (False, 6, 0)


def test_move_on_goes_on_behind_the_block():
    def main():
        with move_on(2) as limit:
            forever()
        with move_on(2) as other:
            sleep(1)
        return limit.expired, other.expired, clock()

    assert run_virtual(main) == (True, False, 3)


def test_a_deadline_is_a_time_on_the_clock():
    def main():
        sleep(3)
        with pytest.raises(TimeoutError, match="by its deadline"), deadline(clock() + 4):
            forever()
        return clock()

    assert run_virtual(main) == 7


def test_the_clock_is_that_of_time_monotonic():
    def main():
        return time.monotonic() <= clock() <= time.monotonic()

    assert trueasync.run(main)


@pytest.mark.parametrize("make", [timeout, move_on, deadline])
def test_none_is_no_limit(make):
    def main():
        with make(None) as limit:
            sleep(10)
        return limit.deadline, limit.expired

    assert run_virtual(main) == (None, False)


@pytest.mark.parametrize("seconds", [0, -1, -math.inf])
def test_zero_or_less_has_expired_at_the_first_wait(seconds):
    def main():
        seen = []
        try:
            with timeout(seconds):
                seen.append("no wait yet")
                sleep(1)
        except TimeoutError:
            return seen, clock()

    assert run_virtual(main) == (["no wait yet"], 0)


def test_a_deadline_that_has_passed_has_expired():
    def main():
        sleep(5)
        with pytest.raises(TimeoutError), deadline(3):
            sleep(1)
        return clock()

    assert run_virtual(main) == 5


@pytest.mark.parametrize("make", [timeout, move_on, deadline])
def test_not_a_number_is_refused(make):
    with pytest.raises(ValueError, match="not NaN"):
        make(math.nan)


def test_infinity_is_no_limit():
    def main():
        with timeout(math.inf):
            sleep(5)
        return trueasync.stats()["active_events"]

    assert run_virtual(main) == 0


@pytest.mark.parametrize("thing", ["5", [], object()], ids=repr)
def test_what_is_no_number_is_refused(thing):
    with pytest.raises(TypeError):
        timeout(thing)


def test_a_timeout_is_entered_once():
    def main():
        limit = timeout(5)
        with limit, pytest.raises(UsageError, match="entered before"):
            limit.__enter__()
        with pytest.raises(UsageError, match="entered before"):
            limit.__enter__()
        return trueasync.stats()["active_events"]

    assert run_virtual(main) == 0


def test_a_timeout_needs_a_coroutine():
    with pytest.raises(UsageError, match=r"`with timeout\(\)` works in a coroutine"):
        timeout(1).__enter__()


# -- the moment of truth ---------------------------------------------------------------------------


def test_a_wait_that_was_won_before_returns_its_value():
    def main():
        event = Event()

        def both():
            event.fire("value")
            limit.deadline = clock()

        with timeout(60) as limit:
            spawn(both)
            running_scheduler("test").wait(event)
            got = event.outcome()
        return got, limit.expired

    assert run_virtual(main) == ("value", False)


def test_one_that_expires_and_waits_no_more_has_not_expired(run):
    def main():
        with timeout(0.001) as limit:
            end = clock() + 0.002
            while clock() < end and run is trueasync.run:
                pass
        trueasync.suspend()
        return limit.expired

    assert run(main) is False


# -- moving the deadline ------------------------------------------------------------------------


def test_the_deadline_can_be_moved_from_inside_and_from_outside():
    def main():
        with move_on(5) as limit:
            first = limit.deadline
            limit.deadline = clock() + 8
            spawn(setattr, limit, "deadline", 3)
            forever()
        return first, limit.deadline, clock()

    assert run_virtual(main) == (5, 3, 3)


def test_the_deadline_can_be_lifted():
    def main():
        with timeout(5) as limit:
            limit.deadline = None
            sleep(10)
        return limit.expired, trueasync.stats()["active_events"]

    assert run_virtual(main) == (False, 0)


def test_a_deadline_can_be_set_before_it_is_entered():
    def main():
        limit = timeout(100)
        limit.deadline = 4
        with pytest.raises(TimeoutError), limit:
            forever()
        return clock()

    assert run_virtual(main) == 4


def test_a_coroutine_that_ends_inside_a_timeout_leaves_no_timer():
    def main():
        def numbers():
            with timeout(60):
                yield 1

        generator = numbers()
        spawn(next, generator).result()
        return trueasync.stats()["active_events"]

    assert run_virtual(main) == 0

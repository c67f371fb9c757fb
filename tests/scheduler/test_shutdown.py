"""How a run ends when something went wrong: everyone is told, nothing is lost, nothing hangs."""

import gc
import sys

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import BaseExceptionGroup, ExceptionGroup


def fails(text="the error"):
    raise ValueError(text)


def wait_forever():
    running_scheduler("test").wait(Event())


def fails_in_its_clean_up(error):
    try:
        trueasync.sleep(60)
    finally:
        raise error


def test_the_error_of_a_coroutine_nobody_holds_ends_the_run(run):
    def main():
        trueasync.spawn(fails)
        trueasync.sleep(60)

    with pytest.raises(ValueError, match="the error"):
        run(main)


def test_the_others_are_cancelled_then(run):
    seen = []

    def sleeper():
        try:
            trueasync.sleep(60)
        except Cancelled as cancelled:
            seen.append(str(cancelled))
            raise

    def main():
        trueasync.spawn(sleeper)
        trueasync.spawn(fails)
        sleeper()

    with pytest.raises(ValueError, match="the error"):
        run(main)
    assert seen == ["the run is shut down by ValueError('the error')"] * 2


def test_a_held_handle_postpones_the_judgement(run):
    def main():
        coroutine = trueasync.spawn(fails)
        trueasync.sleep(0.001)
        with pytest.raises(ValueError, match="the error"):
            coroutine.result()
        return "went on"

    assert run(main) == "went on"


def test_an_error_is_judged_when_the_last_handle_goes(run):
    steps = []

    def main():
        coroutine = trueasync.spawn(fails)
        trueasync.sleep(0.001)
        steps.append("held")
        del coroutine
        trueasync.sleep(60)
        steps.append("never")

    with pytest.raises(ValueError, match="the error"):
        run(main)
    assert steps == ["held"]


def test_an_error_somebody_waits_for_is_taken(run):
    def main():
        def ask():
            with pytest.raises(ValueError, match="the error"):
                trueasync.spawn(fails).result()
            return "taken"

        return trueasync.spawn(ask).result()

    assert run(main) == "taken"


def test_an_error_is_taken_even_if_it_was_asked_for_before_it_happened(run):
    def main():
        coroutine = trueasync.spawn(lambda: trueasync.sleep(0.01) or fails())
        with pytest.raises(TimeoutError):
            coroutine.result(timeout=0.001)
        del coroutine
        trueasync.sleep(60)

    with pytest.raises(ValueError, match="the error"):
        run(main)


def test_a_cancelled_coroutine_nobody_asks_is_no_error(run):
    def main():
        trueasync.spawn(trueasync.sleep, 60).cancel()
        sleeper = trueasync.spawn(trueasync.sleep, 60)
        trueasync.suspend()
        sleeper.cancel()
        del sleeper
        return "fine"

    assert run(main) == "fine"


def test_the_error_of_main_ends_the_run(run):
    seen = []

    def sleeper():
        try:
            trueasync.sleep(60)
        finally:
            seen.append("cleaned up")

    def main():
        trueasync.spawn(sleeper)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run(main)
    assert seen == ["cleaned up"]


def test_several_errors_come_out_as_one_group(run):
    def main():
        for text in ("two", "three"):
            trueasync.spawn(fails_in_its_clean_up, ValueError(text))
        trueasync.spawn(fails, "one")
        trueasync.sleep(60)

    with pytest.raises(ExceptionGroup) as raised:
        run(main)
    assert [str(error) for error in raised.value.exceptions] == ["one", "two", "three"]


def test_the_error_of_main_and_those_of_others_come_out_as_one_group(run):
    def main():
        trueasync.spawn(fails_in_its_clean_up, ValueError("clean-up"))
        trueasync.suspend()
        fails("main")

    with pytest.raises(ExceptionGroup) as raised:
        run(main)
    assert [str(error) for error in raised.value.exceptions] == ["main", "clean-up"]


def test_a_group_with_a_base_exception_is_a_base_exception_group(run):
    class Odd(BaseException):
        pass

    def main():
        trueasync.spawn(fails_in_its_clean_up, Odd())
        trueasync.spawn(fails)
        trueasync.sleep(60)

    with pytest.raises(BaseExceptionGroup) as raised:
        run(main)
    assert [type(error) for error in raised.value.exceptions] == [ValueError, Odd]


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("who", ["main", "child", "held child"])
def test_an_exit_or_interrupt_ends_the_run_whoever_raises_it(run, kind, who):
    def ends():
        raise kind(3)

    def main():
        if who == "main":
            ends()
        held = trueasync.spawn(ends)
        if who == "child":
            del held
        trueasync.sleep(60)

    with pytest.raises(kind) as raised:
        run(main)
    assert raised.value.args == (3,)


def test_an_exit_wins_over_errors_and_keeps_them_as_its_cause(run):
    def main():
        trueasync.spawn(fails_in_its_clean_up, SystemExit(3))
        trueasync.spawn(fails)
        trueasync.sleep(60)

    with pytest.raises(SystemExit) as raised:
        run(main)
    assert raised.value.code == 3
    assert repr(raised.value.__cause__) == "ValueError('the error')"


def test_an_exit_that_others_wait_for_reaches_them_too(run):
    seen = []

    def main():
        coroutine = trueasync.spawn(sys.exit, 3)
        try:
            coroutine.result()
        except SystemExit:
            seen.append("exit")
            raise

    with pytest.raises(SystemExit):
        run(main)
    assert seen == ["exit"]


def test_an_error_nobody_asks_for_after_the_run_is_reported_late(monkeypatch):
    reports = []
    monkeypatch.setattr(sys, "unraisablehook", reports.append)

    coroutine = run_virtual(lambda: trueasync.spawn(fails))
    before = len(reports)
    del coroutine
    gc.collect()

    assert before == 0
    assert [str(report.exc_value) for report in reports] == ["the error"]
    assert "fails done" in repr(reports[0].object)
    reports.clear()


def test_an_error_in_a_cycle_with_its_own_coroutine_is_not_lost(monkeypatch):
    reports = []
    monkeypatch.setattr(sys, "unraisablehook", reports.append)

    def fails_and_knows_itself():
        me = trueasync.current_coroutine()
        fails(f"in {me.name}")

    def main():
        trueasync.spawn(fails_and_knows_itself)
        trueasync.suspend()

    # Judged when the collector finds it: by run if that is soon enough, else late.
    try:
        run_virtual(main)
    except ValueError as error:
        found = [str(error)]
    else:
        gc.collect()
        found = [str(report.exc_value) for report in reports]
        reports.clear()

    assert len(found) == 1
    assert "fails_and_knows_itself" in found[0]


def test_every_error_comes_out_under_every_schedule(seeds):
    def main():
        def body(n):
            for _ in range(n):
                trueasync.suspend()
            try:
                trueasync.sleep(n)
            finally:
                trueasync.suspend()
                fails(str(n))

        for n in range(6):
            trueasync.spawn(body, n)
        trueasync.sleep(100)

    for _ in seeds:
        with pytest.raises((ExceptionGroup, ValueError)) as raised:
            run_virtual(main)
        errors = getattr(raised.value, "exceptions", (raised.value,))
        # One that was cancelled before it started never raised anything.
        assert len({str(error) for error in errors}) == len(errors) >= 1

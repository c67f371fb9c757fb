"""Cancellation: thrown once, at the wait; tried before the start, while parked, after the
wake but before the run, and during the clean-up."""

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def wait(event):
    running_scheduler("test").wait(event)
    return event.outcome()


def now():
    return running_scheduler("test").reactor.now()


def test_one_cancelled_before_it_starts_never_runs(run):
    def main():
        ran = []
        coroutine = trueasync.spawn(ran.append, 1)

        coroutine.cancel()
        trueasync.sleep(0.001)

        return ran, coroutine.state, coroutine.cancelled()

    assert run(main) == ([], "done", True)


def test_one_that_is_waited_for_and_cancelled_before_it_starts_tells_its_waiter():
    def main():
        told = []

        def ask(coroutine):
            try:
                coroutine.result()
            except Cancelled:
                told.append("cancelled")

        held = []
        trueasync.spawn(lambda: ask(held[0]))
        trueasync.spawn(lambda: held[0].cancel())
        held.append(trueasync.spawn(lambda: None))
        trueasync.sleep(1)
        return told

    assert run_virtual(main) == ["cancelled"]


def test_a_parked_coroutine_is_cancelled_at_its_wait(run):
    def main():
        seen = []

        def body():
            try:
                wait(Event())
            except Cancelled:
                seen.append("at the wait")
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, coroutine.cancelled()

    assert run(main) == (["at the wait"], True)


def test_cancel_does_not_run_anything_at_once():
    def main():
        coroutine = trueasync.spawn(wait, Event())
        trueasync.suspend()
        switches = trueasync.stats()["switches"]
        answer = coroutine.cancel()
        return answer, coroutine.state, trueasync.stats()["switches"] - switches

    assert run_virtual(main) == (True, "ready", 0)


def test_after_the_wake_but_before_the_run_the_value_is_delivered():
    def main():
        event, seen = Event(), []

        def body():
            seen.append(wait(event))
            try:
                trueasync.sleep(1)
            except Cancelled:
                seen.append("cancelled at the next wait")
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        event.fire("value")
        coroutine.cancel()
        trueasync.suspend()
        return seen, coroutine.cancelled(), now()

    assert run_virtual(main) == (["value", "cancelled at the next wait"], True, 0)


def test_one_that_was_woken_and_waits_no_more_finishes_in_spite_of_a_cancellation():
    def main():
        event = Event()
        coroutine = trueasync.spawn(wait, event)
        trueasync.suspend()
        event.fire("value")
        coroutine.cancel()
        return coroutine.result(), coroutine.cancelled()

    assert run_virtual(main) == ("value", False)


def test_what_fires_after_the_cancellation_is_not_delivered():
    def main():
        event, seen = Event(), []

        def body():
            try:
                seen.append(wait(event))
            except Cancelled:
                seen.append("cancelled")
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        event.fire("too late")
        trueasync.suspend()
        return seen

    assert run_virtual(main) == ["cancelled"]


def test_one_that_lets_others_go_first_is_cancelled_there():
    def main():
        seen = []

        def body():
            try:
                trueasync.suspend()
            except Cancelled:
                seen.append("cancelled")
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return seen, coroutine.cancelled()

    assert run_virtual(main) == (["cancelled"], True)


def test_the_clean_up_may_wait():
    def main():
        seen = []

        def body():
            try:
                wait(Event())
            finally:
                trueasync.sleep(5)
                seen.append(now())

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, coroutine.cancelled()

    assert run_virtual(main) == ([5.0], True)


def test_a_second_cancellation_during_the_clean_up_is_ignored():
    def main():
        seen = []

        def body():
            try:
                wait(Event())
            finally:
                trueasync.sleep(5)
                seen.append("cleaned up")

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.sleep(1)
        again = coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, again

    assert run_virtual(main) == (["cleaned up"], True)


def test_two_cancellations_before_the_run_are_one():
    def main():
        caught = []

        def body():
            for _ in range(2):
                try:
                    trueasync.sleep(1)
                except Cancelled as cancelled:
                    caught.append(cancelled)

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        coroutine.cancel()
        coroutine.result()
        return len(caught)

    assert run_virtual(main) == 1


def test_a_coroutine_that_cancels_itself_is_cancelled_at_its_next_wait():
    def main():
        seen = []

        def body():
            trueasync.current_coroutine().cancel()
            seen.append("went on")
            trueasync.sleep(1)
            seen.append("never")

        coroutine = trueasync.spawn(body)
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, coroutine.cancelled(), now()

    assert run_virtual(main) == (["went on"], True, 0)


def test_a_pending_cancellation_comes_even_where_the_wait_would_not_suspend():
    def main():
        fired = Event()
        fired.fire()

        def body():
            trueasync.current_coroutine().cancel()
            wait(fired)

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        return coroutine.cancelled()

    assert run_virtual(main)


def test_a_cancellation_that_comes_while_the_wait_begins_is_not_slept_through():
    class CancelsWhoWaits(Event):
        def arm(self):
            trueasync.current_coroutine().cancel()

    def main():
        scheduler = running_scheduler("test")
        coroutine = trueasync.spawn(
            lambda: scheduler.wait(CancelsWhoWaits(), scheduler.reactor.timer(100))
        )
        with pytest.raises(Cancelled):
            coroutine.result()
        return now()

    assert run_virtual(main) == 0


@pytest.mark.parametrize("how", ["finished", "failed", "cancelled"])
def test_cancelling_one_that_is_done_does_nothing(how):
    def main():
        coroutine = trueasync.spawn({"failed": lambda: 1 / 0}.get(how, lambda: "value"))
        if how == "cancelled":
            coroutine.cancel()
        trueasync.suspend()
        before = coroutine.cancelled()
        answer = coroutine.cancel()
        try:
            coroutine.result()
        except (ZeroDivisionError, Cancelled):
            pass
        return answer, coroutine.cancelled() == before

    assert run_virtual(main) == (False, True)


def test_a_cancelled_main_raises_out_of_run(run):
    def main():
        trueasync.current_coroutine().cancel()
        trueasync.suspend()

    with pytest.raises(Cancelled):
        run(main)


def test_a_cancelled_sleep_keeps_no_timer():
    def main():
        coroutine = trueasync.spawn(trueasync.sleep, 3600)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return trueasync.stats()["active_events"], now()

    assert run_virtual(main) == (0, 0)

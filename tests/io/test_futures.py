"""A `concurrent.futures.Future` of somebody else can be waited for."""

import concurrent.futures
import gc
import sys
import threading
import weakref

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.io.futures import end_of
from trueasync.scheduler.calls import running_scheduler
from trueasync.sync.awaitable import event_of


def wait_for(thing):
    event = event_of(thing)
    running_scheduler("test").wait(event)
    return event.outcome()


@pytest.fixture
def future():
    return concurrent.futures.Future()


def later(run, future, complete):
    """What a coroutine gets that waits for `future` while a thread does `complete`."""

    def main():
        waiting = trueasync.spawn(wait_for, future)
        trueasync.suspend()
        thread = threading.Thread(target=complete)
        thread.start()
        try:
            return waiting.result()
        finally:
            thread.join()

    return run(main)


def test_its_result_is_returned_when_a_thread_sets_it(run, future):
    assert later(run, future, lambda: future.set_result("value")) == "value"


def test_its_error_is_raised(run):
    future = concurrent.futures.Future()

    with pytest.raises(LookupError, match="of the future"):
        later(run, future, lambda: future.set_exception(LookupError("of the future")))


def test_its_cancellation_is_the_error_it_says_itself(run, future):
    with pytest.raises(concurrent.futures.CancelledError):
        later(run, future, lambda: future.cancel() and future.set_running_or_notify_cancel())


def test_one_that_is_done_costs_no_wait(run, future):
    future.set_result("value")

    def main():
        before = trueasync.stats()["switches"]
        value = wait_for(future)
        return value, trueasync.stats()["switches"] - before

    assert run(main) == ("value", 0)


def test_select_takes_one(run, future):
    def main():
        other = concurrent.futures.Future()
        thread = threading.Thread(target=future.set_result, args=("value",))
        trueasync.spawn(thread.start)
        winner = trueasync.select(other, future)
        thread.join()
        return winner

    assert run(main) == (1, "value")


def test_several_coroutines_may_wait_and_one_may_leave(run, future):
    def main():
        waiting = [trueasync.spawn(wait_for, future) for _ in range(4)]
        trueasync.suspend()
        waiting[1].cancel()
        trueasync.suspend()
        future.set_result("value")
        with pytest.raises(Cancelled):
            waiting[1].result()
        return [waiting[n].result() for n in (0, 2, 3)]

    assert run(main) == ["value"] * 3


def test_leaving_does_not_cancel_it(run, future):
    def main():
        waiting = trueasync.spawn(wait_for, future)
        trueasync.suspend()
        waiting.cancel()
        trueasync.suspend()
        return future.cancelled()

    assert run(main) is False


def test_its_event_can_cancel_it(run, future):
    def main():
        event = event_of(future)
        return event.cancel(), future.cancelled()

    assert run(main) == (True, True)


def test_waiting_often_adds_one_callback_only(run, future):
    def main():
        for _ in range(50):
            with pytest.raises(TimeoutError):
                trueasync.select(future, timeout=0.0001)
        return len(future._done_callbacks)

    assert run(main) == 1


def test_a_future_may_be_waited_for_in_several_runs(future):
    seen = []

    def use():
        seen.append(trueasync.run(wait_for, future))

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    future.set_result("value")
    for thread in threads:
        thread.join()

    assert seen == ["value"] * 3


def test_completing_it_after_the_run_does_no_harm(run, future):
    def main():
        with pytest.raises(TimeoutError):
            trueasync.select(future, timeout=0.001)

    run(main)
    future.set_result("late")

    assert trueasync.run(wait_for, future) == "late"


def test_waiting_keeps_no_future_alive(run):
    def main():
        future = concurrent.futures.Future()
        alive = weakref.ref(future)
        with pytest.raises(TimeoutError):
            trueasync.select(future, timeout=0.001)
        del future
        gc.collect()
        return alive()

    assert run(main) is None


def test_it_says_what_it_is(run, future):
    assert "<Future at 0x" in run(lambda: event_of(future).info())


def test_importing_trueasync_does_not_import_concurrent_futures(python):
    ended = python("import sys, trueasync; print('concurrent.futures' in sys.modules)")

    assert (ended.stdout, ended.stderr) == ("False\n", "")


def test_its_event_is_an_event_like_all(run, future):
    def main():
        event = end_of(future)
        event.start()
        counts = [trueasync.stats()["active_events"]]
        event.start()
        event.stop()
        event.stop()
        counts.append(trueasync.stats()["active_events"])
        return isinstance(event, Event), counts

    assert run(main) == (True, [1, 0])


def test_many_waits_leave_no_reference_behind(run):
    def main(count):
        for _ in range(count):
            future = concurrent.futures.Future()
            future.set_result(None)
            wait_for(future)
        del future
        gc.collect()
        return len(gc.get_objects()), sys.getrefcount(main)

    run(main, 10)
    before = run(main, 100)
    after = run(main, 2000)

    assert abs(after[0] - before[0]) < 50

"""trueasync.Trigger: native threads wake coroutines."""

import threading

import pytest

import trueasync
from trueasync import Cancelled, Trigger, UsageError


def test_a_thread_wakes_a_coroutine(run):
    def main():
        trigger = Trigger()
        thread = threading.Thread(target=trigger.fire)
        waiting = trueasync.spawn(trigger.wait)
        trueasync.suspend()
        thread.start()
        waiting.result()
        thread.join()
        return "woken"

    assert run(main) == "woken"


def test_a_fire_before_the_wait_is_kept_for_one_wait(run):
    def main():
        trigger = Trigger()
        news = trigger.fire(), trigger.fire()
        trigger.wait()
        with pytest.raises(TimeoutError, match="nobody fired <Trigger, 0 waiting>"):
            trigger.wait(timeout=0.01)
        return news

    assert run(main) == (True, False)


def test_all_who_wait_are_woken_and_may_wait_again_at_once(run):
    def main():
        trigger, woken = Trigger(), []

        def waits(name):
            for _ in range(2):
                trigger.wait()
                woken.append(name)

        waiting = [trueasync.spawn(waits, name) for name in "abc"]
        for _ in range(2):
            trueasync.suspend()
            trigger.fire()
            trueasync.sleep(0.001)
        for coroutine in waiting:
            coroutine.result()
        return woken

    assert run(main) == list("abcabc")


def test_a_fire_that_came_with_the_cancellation_is_kept(run):
    def main():
        trigger = Trigger()
        waiting = trueasync.spawn(trigger.wait)
        trueasync.suspend()
        waiting.cancel()
        trigger.fire()
        with pytest.raises(Cancelled):
            waiting.result()
        trigger.wait()
        return "kept"

    assert run(main) == "kept"


def test_a_fire_at_the_moment_of_the_timeout_is_kept(seeds):
    def main():
        trigger, heard = Trigger(), []

        def fires():
            trueasync.sleep(1)
            trigger.fire()

        trueasync.spawn(fires)
        try:
            trigger.wait(timeout=1)
            heard.append("in time")
        except TimeoutError:
            trigger.wait()
            heard.append("later")
        return len(heard)

    for _ in seeds:
        assert trueasync.testing.run(main) == 1


def test_a_waiting_coroutine_keeps_the_run_going(run):
    def main():
        trigger = Trigger()
        thread = threading.Timer(0.01, trigger.fire)
        thread.start()
        trigger.wait()
        thread.join()
        return "no deadlock"

    assert run(main) == "no deadlock"


def test_it_belongs_to_a_run():
    with pytest.raises(UsageError, match="Trigger"):
        Trigger()
    trigger = trueasync.run(Trigger)

    assert not trigger.fire()
    with pytest.raises(UsageError, match=r"Trigger\.wait"):
        trigger.wait()

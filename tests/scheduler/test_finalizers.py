"""Finalizers and generators: what runs when something is let go of, at any moment."""

import contextvars
import functools
import gc

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


class OnEnd:
    def __init__(self, action):
        self.action = action

    def __del__(self):
        self.action()


def test_a_finalizer_may_suspend(run):
    def main():
        order = []

        def waits():
            order.append("before")
            trueasync.sleep(0.001)
            order.append("after")

        trueasync.spawn(order.append, "other")
        thing = OnEnd(waits)
        del thing
        return order

    assert run(main) == ["before", "other", "after"]


def test_a_finalizer_that_suspends_does_not_stop_the_others_behind_it(run):
    def main():
        order = []

        def waits(name):
            trueasync.sleep(0.001)
            order.append(name)

        things = [OnEnd(lambda name=name: waits(name)) for name in "abc"]
        del things[:]
        return order

    assert sorted(run(main)) == ["a", "b", "c"]


def test_a_finalizer_run_by_the_collector_may_suspend(run):
    def main():
        order = []

        def waits():
            trueasync.sleep(0.001)
            order.append("waited")

        thing = OnEnd(waits)
        thing.itself = thing
        del thing
        gc.collect()
        return order

    assert run(main) == ["waited"]


def test_the_finalizer_of_a_result_nobody_wanted_cannot_wait_and_says_so(monkeypatch):
    import sys

    reports = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reports.append(report.exc_type))

    def main():
        trueasync.spawn(lambda: OnEnd(trueasync.suspend))
        trueasync.sleep(1)

    run_virtual(main)
    # It goes when its context has let go of it: where no coroutine runs.
    assert reports in ([], [trueasync.UsageError])


variable = contextvars.ContextVar("variable")


def as_default_argument(thing):
    return lambda thing=thing: "value"


def as_value_of_a_contextvar(thing):
    held = [thing]
    return lambda: variable.set(held.pop()) and "value"


def as_argument(thing):
    return functools.partial(lambda thing: "value", thing)


def as_frame_of_an_error(thing):
    def body():
        held = [thing]
        try:
            raise ValueError(held)
        except ValueError:
            return "value"

    return body


@pytest.mark.parametrize(
    "held", [as_default_argument, as_value_of_a_contextvar, as_argument, as_frame_of_an_error]
)
def test_what_dies_with_a_coroutine_may_wait(run, held):
    def main():
        order = []

        def waits():
            order.append("before")
            trueasync.sleep(0.001)
            order.append("after")

        coroutine = trueasync.spawn(held(OnEnd(waits)))
        result = coroutine.result()
        trueasync.sleep(0.01)
        return result, coroutine.state, coroutine.cancel(), order

    assert run(main) == ("value", "done", False, ["before", "after"])


def test_what_dies_with_the_handlers_of_a_coroutine_may_wait(run):
    def main():
        order = []

        class Handler:
            def __init__(self):
                self.thing = OnEnd(lambda: trueasync.sleep(0.001) or order.append("waited"))

            def __call__(self, coroutine, moment):
                return True

        coroutine = trueasync.spawn(lambda: "value")
        coroutine.add_switch_handler(Handler())
        result = coroutine.result()
        trueasync.sleep(0.01)
        return result, coroutine.state, order

    assert run(main) == ("value", "done", ["waited"])


def test_a_generator_that_waits_in_its_finally_is_closed_like_any_other(run):
    def main():
        order = []

        def values():
            try:
                yield 1
            finally:
                trueasync.sleep(0.001)
                order.append("closed")

        for _ in values():
            break
        gc.collect()
        return order

    assert run(main) == ["closed"]


def test_a_generator_may_be_advanced_by_one_coroutine_and_closed_by_another(run):
    def main():
        order = []

        def values():
            try:
                while True:
                    trueasync.suspend()
                    yield len(order)
            finally:
                trueasync.suspend()
                order.append("closed")

        generator = values()
        trueasync.spawn(next, generator).result()
        trueasync.spawn(generator.close).result()
        return order

    assert run(main) == ["closed"]


def test_a_generator_that_waits_refuses_a_second_user_meanwhile(run):
    def main():
        def values():
            trueasync.sleep(0.001)
            yield 1

        generator = values()
        first = trueasync.spawn(next, generator)
        second = trueasync.spawn(next, generator)
        with pytest.raises(ValueError, match="already executing"):
            second.result()
        return first.result()

    assert run(main) == 1


def test_a_finalizer_may_spawn_and_cancel_at_any_moment(run):
    def main():
        ran = []
        for _ in range(20):
            victim = trueasync.spawn(trueasync.sleep, 60)
            thing = OnEnd(lambda victim=victim: (victim.cancel(), trueasync.spawn(ran.append, 1)))
            thing.itself = thing
            del thing, victim
        gc.collect()
        trueasync.sleep(0.001)
        return len(ran), len(trueasync.get_coroutines())

    assert run(main) == (20, 1)


def test_a_finalizer_in_a_cancelled_frame_may_wait(run):
    def main():
        order = []

        def waits():
            trueasync.sleep(0.001)
            order.append("waited")

        def body():
            thing = OnEnd(waits)
            trueasync.sleep(60)
            del thing

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        trueasync.sleep(0.01)
        return order

    # The frame dies where the traceback of the cancellation is dropped: in a coroutine or not.
    assert run(main) in ([], ["waited"])


def test_the_collector_may_run_at_any_time(seeds):
    """A collection at every allocation, while finalizers cancel, spawn and fire."""

    def main():
        ended = []

        def chaos(victim, event):
            victim.cancel()
            event.fire()
            trueasync.spawn(ended.append, "spawned")

        def body(n):
            event = Event()
            sleeper = trueasync.spawn(trueasync.sleep, 1 + n)
            waiter = trueasync.spawn(running_scheduler("test").wait, event)
            thing = OnEnd(lambda: chaos(sleeper, event))
            thing.itself = thing
            del thing
            for _ in range(3):
                trueasync.suspend()
                [[] for _ in range(20)]  # something for the collector to count
            gc.collect()  # at the latest
            waiter.result()
            with pytest.raises(Cancelled):
                sleeper.result()
            ended.append(n)

        for n in range(5):
            trueasync.spawn(body, n)
        trueasync.sleep(10)
        return ended

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for schedule in seeds:
            if not schedule.endswith("0"):
                continue  # a tenth of them: each is slow
            ended = run_virtual(main)
            assert ended.count("spawned") == 5
            assert len(ended) == 10
    finally:
        gc.set_threshold(*before)


def test_an_error_judged_by_the_collector_while_others_wait_ends_the_run():
    def fails_in_a_cycle():
        me = trueasync.current_coroutine()
        raise ValueError(f"in {me.name}")

    def main():
        trueasync.spawn(fails_in_a_cycle)
        trueasync.suspend()
        gc.collect()
        trueasync.sleep(60)

    with pytest.raises(ValueError, match=r"in .*fails_in_a_cycle"):
        run_virtual(main)

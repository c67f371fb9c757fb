"""Microtasks: between switches, in order, each removed before it runs."""

import pytest

import trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.microtasks import Microtask
from trueasync.testing import run


def add(handler, destructor=None):
    microtask = Microtask(handler, destructor)
    running_scheduler("test").add_microtask(microtask)
    return microtask


def fails(text="a microtask fails"):
    raise ValueError(text)


def test_microtasks_run_first_in_first_out():
    def main():
        order = []
        for n in range(300):
            add(lambda n=n: order.append(n))
        trueasync.suspend()
        return order

    assert run(main) == list(range(300))


def test_a_microtask_does_not_run_before_somebody_suspends_or_ends():
    ran = []

    def main():
        add(lambda: ran.append(1))
        return list(ran)

    assert run(main) == []
    assert ran == [1]


def test_microtasks_run_before_the_next_coroutine():
    def main():
        order = []
        trueasync.spawn(order.append, "coroutine")
        add(lambda: order.append("microtask"))
        trueasync.suspend()
        return order

    assert run(main) == ["microtask", "coroutine"]


def test_a_microtask_costs_no_switch():
    def main():
        for _ in range(100):
            add(lambda: None)
        before = trueasync.stats()["switches"]
        trueasync.suspend()
        return trueasync.stats()["switches"] - before

    assert run(main) == 0


def test_a_microtask_that_adds_another_runs_it_before_the_switch():
    def main():
        order = []

        def chain(n):
            order.append(n)
            if n < 5:
                add(lambda: chain(n + 1))

        trueasync.spawn(order.append, "coroutine")
        add(lambda: chain(0))
        trueasync.suspend()
        return order

    assert run(main) == [0, 1, 2, 3, 4, 5, "coroutine"]


def test_a_microtask_is_removed_before_it_runs():
    def main():
        lengths = []

        def look():
            lengths.append(trueasync.stats()["microtasks"])

        add(look)
        add(look)
        trueasync.suspend()
        return lengths

    assert run(main) == [1, 0]


def test_the_count_says_how_often_it_is_queued_or_runs():
    def main():
        counts = []
        microtask = Microtask(lambda: counts.append(microtask.count))
        scheduler = running_scheduler("test")
        counts.append(microtask.count)
        scheduler.add_microtask(microtask)
        scheduler.add_microtask(microtask)
        counts.append(microtask.count)
        trueasync.suspend()
        counts.append(microtask.count)
        return counts

    assert run(main) == [0, 2, 2, 1, 0]


def test_the_destructor_is_called_once_after_the_last_run():
    def main():
        order = []
        microtask = Microtask(lambda: order.append("run"), lambda: order.append("destructor"))
        scheduler = running_scheduler("test")
        scheduler.add_microtask(microtask)
        scheduler.add_microtask(microtask)
        trueasync.suspend()
        return order

    assert run(main) == ["run", "run", "destructor"]


def test_a_cancelled_microtask_does_not_run_and_its_destructor_does():
    def main():
        order = []
        microtask = add(lambda: order.append("run"), lambda: order.append("destructor"))
        microtask.cancel()
        trueasync.suspend()
        return order, microtask.count, microtask.cancelled

    assert run(main) == (["destructor"], 0, True)


def test_a_microtask_may_be_cancelled_by_one_before_it():
    def main():
        order = []
        held = []
        add(lambda: held[0].cancel())
        held.append(add(lambda: order.append("run")))
        trueasync.suspend()
        return order

    assert run(main) == []


def test_the_error_of_a_microtask_is_raised_by_run():
    def main():
        add(fails)
        trueasync.sleep(1)

    with pytest.raises(ValueError, match="a microtask fails"):
        run(main)


def test_an_error_interrupts_and_the_rest_run_later():
    order = []

    def main():
        add(lambda: order.append("first"))
        add(fails)
        add(lambda: order.append("second"), lambda: order.append("destructor"))
        trueasync.spawn(order.append, "coroutine")
        try:
            trueasync.sleep(1)
        except trueasync.Cancelled:
            order.append("main is cancelled")

    with pytest.raises(ValueError, match="a microtask fails"):
        run(main)
    assert [item for item in order if item != "main is cancelled"] == [
        "first",
        "second",
        "destructor",
    ]


def test_the_rest_run_even_when_the_one_that_failed_was_found_at_the_very_end():
    order = []

    def main():
        add(fails)
        add(lambda: order.append("rest"), lambda: order.append("destructor"))

    with pytest.raises(ValueError, match="a microtask fails"):
        run(main)
    assert order == ["rest", "destructor"]


def test_every_error_of_several_microtasks_is_raised_by_run():
    def main():
        for text in ("one", "two", "three"):
            add(lambda text=text: fails(text))
        trueasync.sleep(1)

    with pytest.raises(BaseException) as raised:  # noqa: PT011 - its kind is asserted below
        run(main)
    assert sorted(str(error) for error in raised.value.exceptions) == ["one", "three", "two"]


def test_the_destructor_of_a_microtask_that_failed_is_called():
    order = []

    def main():
        add(fails, lambda: order.append("destructor"))
        trueasync.suspend()

    with pytest.raises(ValueError, match="a microtask fails"):
        run(main)
    assert order == ["destructor"]


def test_the_error_of_a_destructor_is_raised_by_run():
    def main():
        add(lambda: None, fails)
        trueasync.suspend()

    with pytest.raises(ValueError, match="a microtask fails"):
        run(main)


def test_a_microtask_may_spawn():
    def main():
        order = []
        add(lambda: trueasync.spawn(order.append, "spawned by a microtask"))
        trueasync.suspend()
        return order

    assert run(main) == ["spawned by a microtask"]


def test_a_microtask_added_by_the_last_coroutine_runs():
    ran = []

    run(lambda: add(lambda: add(lambda: ran.append("run"))) and None)

    assert ran == ["run"]


def test_a_microtask_may_be_what_wakes_the_coroutine_that_suspends():
    from trueasync.events.event import Event

    def main():
        event = Event()
        add(lambda: event.fire("value"))
        before = trueasync.stats()["switches"]
        running_scheduler("test").wait(event)
        return event.outcome(), trueasync.stats()["switches"] - before

    assert run(main) == ("value", 0)


def test_each_runs_once_under_every_schedule(seeds):
    def main():
        ran = []

        def worker(n):
            for step in range(3):
                add(lambda step=step: ran.append((n, step)))
                trueasync.suspend()

        for n in range(8):
            trueasync.spawn(worker, n)
        trueasync.sleep(1)
        return ran

    for _ in seeds:
        ran = run(main)
        assert len(ran) == 24

"""spawn: later, in order, high priority first."""

import pytest

import trueasync
from trueasync import Priority
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def wait(event):
    running_scheduler("test").wait(event)


def test_spawn_never_runs_the_function_at_once(run):
    def main():
        ran = []
        coroutine = trueasync.spawn(ran.append, 1)
        before = list(ran)
        coroutine.result()
        return before, ran

    assert run(main) == ([], [1])


def test_the_first_to_be_spawned_runs_first(run):
    def main():
        order = []
        coroutines = [trueasync.spawn(order.append, n) for n in range(300)]
        coroutines[-1].result()
        return order

    assert run(main) == list(range(300))


def test_the_children_of_several_coroutines_run_in_the_order_of_spawning(run):
    def main():
        order = []

        def parent(name):
            for n in range(3):
                trueasync.spawn(order.append, f"{name}{n}")

        for name in "ab":
            trueasync.spawn(parent, name)
        trueasync.sleep(0.001)
        return order

    assert run(main) == ["a0", "a1", "a2", "b0", "b1", "b2"]


def test_run_returns_only_when_all_have_ended(run):
    ended = []

    def child(depth):
        trueasync.sleep(0.001)
        if depth:
            trueasync.spawn(child, depth - 1)
        ended.append(depth)

    run(lambda: trueasync.spawn(child, 3) and None)

    assert ended == [3, 2, 1, 0]


def test_a_failed_spawn_leaves_nothing_behind():
    def main():
        with pytest.raises(TypeError, match="function to call"):
            trueasync.spawn("not a function")
        return len(trueasync.get_coroutines())

    assert run_virtual(main) == 1


def test_a_high_coroutine_goes_to_the_head_of_the_queue():
    def main():
        order = []
        for name in "ab":
            trueasync.spawn(order.append, name)
        trueasync.options(priority=Priority.HIGH).spawn(order.append, "high")
        trueasync.suspend()
        return order

    assert run_virtual(main) == ["high", "a", "b"]


def test_of_two_high_coroutines_the_later_stands_at_the_head():
    def main():
        order = []
        high = trueasync.options(priority=Priority.HIGH)
        high.spawn(order.append, "first")
        high.spawn(order.append, "second")
        trueasync.suspend()
        return order

    assert run_virtual(main) == ["second", "first"]


def test_a_high_coroutine_that_is_woken_goes_to_the_head_of_the_queue():
    def main():
        order, event = [], Event()

        def high():
            wait(event)
            order.append("high")

        trueasync.options(priority=Priority.HIGH).spawn(high)
        trueasync.suspend()
        for name in "ab":
            trueasync.spawn(order.append, name)
        event.fire()
        trueasync.suspend()
        return order

    assert run_virtual(main) == ["high", "a", "b"]


def test_a_high_coroutine_that_suspends_lets_the_others_go_first():
    def main():
        order = []

        def high():
            for _ in range(3):
                trueasync.suspend()
            order.append("high")

        trueasync.options(priority=Priority.HIGH).spawn(high)
        trueasync.spawn(order.append, "normal")
        for _ in range(5):
            trueasync.suspend()
        return order

    assert run_virtual(main) == ["normal", "high"]


def test_the_priority_can_be_read():
    def main():
        normal = trueasync.spawn(lambda: None)
        high = trueasync.options(priority=Priority.HIGH).spawn(lambda: None)
        return normal.priority, high.priority

    assert run_virtual(main) == (Priority.NORMAL, Priority.HIGH)


def test_those_who_suspend_take_turns():
    def main():
        order = []

        def worker(name):
            for _ in range(3):
                order.append(name)
                trueasync.suspend()

        for name in "abc":
            trueasync.spawn(worker, name)
        trueasync.sleep(1)
        return "".join(order)

    assert run_virtual(main) == "abcabcabc"


def test_everyone_runs_once_under_every_schedule(seeds):
    def main():
        ran = []

        def worker(n):
            trueasync.suspend()
            ran.append(n)
            if n < 20:
                trueasync.spawn(worker, n + 20)

        coroutines = [trueasync.spawn(worker, n) for n in range(20)]
        for coroutine in coroutines:
            coroutine.result()
        trueasync.sleep(1)
        return ran

    for _ in seeds:
        assert sorted(run_virtual(main)) == list(range(40))

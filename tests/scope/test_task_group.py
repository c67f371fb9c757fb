"""TaskGroup: a bound on how many run, and what became of each."""

import contextvars
import gc
import sys

import pytest

import trueasync
from trueasync import Cancelled, TaskGroup, UsageError, sleep, spawn

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


class Busy:
    """Work that says how much of it was going on at once."""

    def __init__(self):
        self.now = self.most = 0
        self.order = []

    def work(self, name=None, delay=1.0):
        self.now += 1
        self.most = max(self.most, self.now)
        self.order.append(name)
        sleep(delay)
        self.now -= 1
        return name


def fail(delay, error):
    sleep(delay)
    raise error


def leave(group, error=None):
    with group:
        trueasync.suspend()
        if error is not None:
            raise error


def test_results_come_by_key_in_the_order_of_spawning(run):
    def main():
        with TaskGroup() as group:
            group.spawn_as("slow", Busy().work, 1, 0.02)
            group.spawn_as("quick", Busy().work, 2, 0.01)
            return group.results()

    assert list(run(main).items()) == [("slow", 1), ("quick", 2)]


def test_never_more_run_than_asked_for_and_in_order():
    def main():
        busy = Busy()
        with TaskGroup(3, 0) as group:
            for number in range(10):
                group.spawn(busy.work, number)
        return busy.most, busy.order, busy.now

    assert trueasync.testing.run(main) == (3, list(range(10)), 0)


def test_spawn_waits_while_the_queue_is_full():
    def main():
        busy = Busy()
        clock = []
        with TaskGroup(1, 2) as group:
            for number in range(5):
                group.spawn(busy.work, number)
                clock.append(round(trueasync.clock()))
        return clock

    assert trueasync.testing.run(main) == [0, 0, 0, 1, 2]


def test_all_who_wait_at_a_full_queue_get_in(seeds):
    def main():
        busy = Busy()
        group = TaskGroup(1, 1)

        def offer(number):
            group.spawn(busy.work, number, 0.001)

        offering = [spawn(offer, number) for number in range(6)]
        for each in offering:
            each.result()
        group.join()
        return busy.most, sorted(busy.order)

    for _ in seeds:
        assert trueasync.testing.run(main) == (1, list(range(6)))


def test_tasks_are_given_out_as_they_end(run):
    def main():
        with TaskGroup() as group:
            for delay in (0.03, 0.01, 0.02):
                group.spawn(Busy().work, delay, delay)
            return [task.result() for task in group]

    assert run(main) == [0.01, 0.02, 0.03]


def test_one_failure_leaves_the_others_alone_and_comes_at_the_end(run):
    def main():
        busy = Busy()
        group = TaskGroup()
        group.spawn(fail, 0.01, ValueError("one"))
        other = group.spawn(busy.work, "other", 0.02)
        with pytest.raises(ExceptionGroup) as raised:
            leave(group)
        return raised.value.exceptions, other.result()

    errors, other = run(main)
    assert [str(error) for error in errors] == ["one"]
    assert other == "other"


def test_a_failure_somebody_asked_for_is_not_raised_again(run):
    def main():
        with TaskGroup() as group:
            task = group.spawn(fail, 0.01, ValueError("one"))
            with pytest.raises(ValueError, match="one"):
                task.result()

    run(main)


def test_results_raise_all_failures_as_one(run):
    def main():
        with TaskGroup() as group:
            group.spawn(fail, 0.01, ValueError())
            group.spawn(fail, 0.01, KeyError())
            with pytest.raises(ExceptionGroup) as raised:
                group.results()
        return [type(error) for error in raised.value.exceptions]

    assert run(main) == [ValueError, KeyError]


def test_the_first_to_end_and_the_first_to_succeed(run):
    def main():
        with TaskGroup() as group:
            group.spawn(fail, 0.01, ValueError("first"))
            group.spawn(Busy().work, "second", 0.02)
            group.spawn(Busy().work, "third", 0.03)
            with pytest.raises(ValueError, match="first"):
                group.first()
            return group.first_success()

    assert run(main) == "second"


def test_no_success_is_a_group_and_no_task_an_error(run):
    def main():
        with TaskGroup() as group:
            with pytest.raises(LookupError):
                group.first()
            with pytest.raises(LookupError):
                group.first_success()
            group.spawn(fail, 0, ValueError())
            with pytest.raises(ExceptionGroup):
                group.first_success()

    run(main)


def test_an_error_in_the_body_cancels_all_and_those_in_the_queue_never_run(run):
    def main():
        busy = Busy()
        group = TaskGroup(1, 0)
        tasks = [group.spawn(busy.work, number) for number in range(3)]
        with pytest.raises(ExceptionGroup) as raised:
            leave(group, ZeroDivisionError())
        assert [type(error) for error in raised.value.exceptions] == [ZeroDivisionError]
        cancelled = []
        for task in tasks:
            with pytest.raises(Cancelled):
                task.result()
            cancelled.append(task.key)
        return busy.order, cancelled

    assert run(main) == ([0], [0, 1, 2])


def test_a_cancelled_task_that_waits_for_its_turn_never_runs(run):
    def main():
        busy = Busy()
        with TaskGroup(1, 0) as group:
            group.spawn(busy.work, "first", 0.01)
            second = group.spawn(busy.work, "second", 0.01)
            group.spawn(busy.work, "third", 0.01)
            assert second.cancel()
            assert not second.cancel()
        return busy.order

    assert run(main) == ["first", "third"]


def test_cancelling_who_waits_for_the_group_cancels_the_group(run):
    def main():
        busy = Busy()

        def body():
            with TaskGroup(2, 0) as group:
                for number in range(5):
                    group.spawn(busy.work, number, 100)

        owner = spawn(body)
        trueasync.suspend()
        trueasync.suspend()
        owner.cancel()
        with pytest.raises(Cancelled):
            owner.result()
        return sorted(busy.order)

    assert run(main) == [0, 1]


def test_a_group_that_nobody_holds_any_more_cancels_its_tasks(run):
    def main():
        cancelled = []

        def work():
            try:
                sleep(100)
            except Cancelled:
                cancelled.append(True)
                raise

        group = TaskGroup()
        group.spawn(work)
        trueasync.suspend()
        del group
        gc.collect()
        trueasync.suspend()
        trueasync.suspend()
        return cancelled

    assert run(main) == [True]


def test_closed_means_closed_and_a_key_is_there_once(run):
    def main():
        with TaskGroup() as group:
            group.spawn_as("key", sleep, 0)
            with pytest.raises(ValueError, match="'key'"):
                group.spawn_as("key", sleep, 0)
            group.close()
            with pytest.raises(UsageError, match="closed"):
                group.spawn(sleep, 0)

    run(main)


def test_a_task_has_the_contextvars_of_who_spawned_it(run):
    where = contextvars.ContextVar("where", default="nowhere")

    def main():
        where.set("before")
        with TaskGroup(1, 0) as group:
            group.spawn(sleep, 0.01)
            task = group.spawn(where.get)
            where.set("after")
            return task.result()

    assert run(main) == "before"


def test_a_result_can_be_waited_for_a_while():
    def main():
        with TaskGroup() as group:
            task = group.spawn(sleep, 10)
            with pytest.raises(TimeoutError, match="within 1 s"):
                task.result(1)
            return task.done(), task.result(), task.exception()

    assert trueasync.testing.run(main) == (False, None, None)


@pytest.mark.parametrize("arguments", [(-1,), (1, -1)])
def test_impossible_bounds_are_refused(run, arguments):
    with pytest.raises(ValueError, match="0 or more"):
        run(TaskGroup, *arguments)


def test_what_is_no_function_is_refused(run):
    def main():
        with TaskGroup() as group, pytest.raises(TypeError, match="no function"):
            group.spawn(5)

    run(main)


def test_nothing_is_lost_in_any_order(seeds):
    def main():
        done = []
        with TaskGroup(3, 2) as group:

            def work(number):
                trueasync.suspend()
                done.append(number)
                if number % 3 == 0:
                    raise ValueError(number)
                return number

            tasks = [group.spawn(work, number) for number in range(12)]
            ended = [task.key for task in group]
            failed = [task.key for task in tasks if task.exception()]
        return sorted(done), sorted(ended), failed

    for _ in seeds:
        everyone = list(range(12))
        assert trueasync.testing.run(main) == (everyone, everyone, [0, 3, 6, 9])

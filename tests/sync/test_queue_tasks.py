"""The tasks of a queue, and its end."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import Cancelled, LifoQueue, PriorityQueue, Queue, ShutDown, spawn, suspend


def outcome(coroutine):
    try:
        return coroutine.result()
    except (Exception, Cancelled) as error:
        return type(error)


# -- tasks -------------------------------------------------------------------------------------


def test_join_waits_for_the_work_on_every_item(seeds):
    def main():
        items, done = Queue(2), []

        def work():
            while True:
                number = items.get()
                suspend()
                done.append(number)
                items.task_done()

        workers = [spawn(work) for _ in range(3)]
        for number in range(9):
            items.put(number)
        items.join()
        seen = sorted(done)
        for worker in workers:
            worker.cancel()
        return seen

    for _ in seeds:
        assert trueasync.testing.run(main) == list(range(9))


def test_join_returns_at_once_when_there_is_nothing_to_do():
    Queue().join()


def test_more_tasks_done_than_put_are_refused():
    with pytest.raises(ValueError, match="too many times"):
        Queue().task_done()


def test_the_condition_of_the_tasks_is_that_of_join(run):
    # A known way to join with a timeout.
    def main():
        items = Queue()
        items.put(1)

        def finish():
            items.get()
            items.task_done()

        with items.all_tasks_done:
            too_early = items.all_tasks_done.wait(0.01)
            spawn(finish)
            while items.unfinished_tasks:
                items.all_tasks_done.wait(1)
        return too_early

    assert run(main) is False


# -- the end -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Queue, LifoQueue, PriorityQueue])
def test_after_shutdown_only_what_is_in_comes_out(kind, run):
    def main():
        items = kind(1)
        items.put(1)
        putter = spawn(items.put, 2)
        until(waiting(items, 1))
        items.shutdown()
        first = items.get()
        with pytest.raises(ShutDown):
            items.get()
        with pytest.raises(ShutDown):
            items.put(3)
        return first, outcome(putter), items.is_shutdown

    assert run(main) == (1, ShutDown, True)


@pytest.mark.parametrize("kind", [Queue, LifoQueue, PriorityQueue])
def test_an_immediate_shutdown_drops_what_is_in(kind, run):
    def main():
        items = kind()
        joins = spawn(items.join)
        getter = spawn(kind().get)
        items.put(1)
        items.put(2)
        suspend()
        items.shutdown(immediate=True)
        joins.result()
        getter.cancel()
        with pytest.raises(ShutDown):
            items.get()
        return items.unfinished_tasks, items.qsize()

    assert run(main) == (0, 0)


def test_getters_that_wait_are_told_of_the_shutdown(run):
    def main():
        items = Queue()
        getters = [spawn(items.get) for _ in range(3)]
        until(waiting(items, 3))
        items.shutdown()
        return [outcome(getter) for getter in getters]

    assert run(main) == [ShutDown] * 3

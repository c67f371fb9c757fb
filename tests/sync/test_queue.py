"""Queue: every item to one getter, in order, whoever leaves; its bound, its tasks, its end."""

import collections
import gc
import queue
import threading

import pytest
from natives import until, waiting

import trueasync
from trueasync import (
    Cancelled,
    LifoQueue,
    PriorityQueue,
    Queue,
    SimpleQueue,
    spawn,
    suspend,
)

KINDS = (Queue, LifoQueue, PriorityQueue, SimpleQueue)


def outcome(coroutine):
    try:
        return coroutine.result()
    except (Exception, Cancelled) as error:
        return type(error)


# -- order and bound -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Queue, SimpleQueue])
def test_items_come_in_order_to_who_came_first(kind, seeds):
    def main():
        items, got = kind(), {}

        def get(number):
            got[number] = items.get()

        for number in range(6):
            spawn(get, number)
            until(waiting(items, number + 1))
        for number in range(6):
            items.put(number)
        assert items.qsize() == 0  # each has its owner
        until(lambda: len(got) == 6)
        return got

    for _ in seeds:
        assert trueasync.testing.run(main) == {number: number for number in range(6)}


def test_who_puts_into_a_full_queue_waits_his_turn(seeds):
    def main():
        items = Queue(2)
        putters = []
        for number in range(6):
            putters.append(spawn(items.put, number))
            until(waiting(items, max(0, number - 1)))
            until(lambda number=number: items.qsize() == min(number + 1, 2))
        assert items.full()
        got = [items.get() for _ in range(6)]
        for putter in putters:
            putter.result()
        return got

    for _ in seeds:
        assert trueasync.testing.run(main) == [0, 1, 2, 3, 4, 5]


def test_nobody_who_comes_later_gets_what_was_promised(seeds):
    def main():
        items = Queue()
        waits = spawn(items.get)
        until(waiting(items, 1))
        items.put("promised")
        with pytest.raises(queue.Empty):
            items.get_nowait()
        return waits.result()

    for _ in seeds:
        assert trueasync.testing.run(main) == "promised"


def test_a_call_that_does_not_wait_lets_nobody_run(run):
    def main():
        items, seen = Queue(1), []
        spawn(seen.append, "another ran")
        with pytest.raises(queue.Empty):
            items.get(timeout=0)
        items.put_nowait(1)
        with pytest.raises(queue.Full):
            items.put(2, timeout=0)
        with pytest.raises(queue.Full):
            items.put_nowait(2)
        items.get_nowait()
        return seen[:]

    assert run(main) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_get_gives_up_after_its_timeout(kind, run):
    def main():
        items = kind()
        with pytest.raises(queue.Empty):
            items.get(timeout=0.01)
        items.put(1)
        return items.get(timeout=1), repr(items)

    got, words = run(main)

    assert got == 1
    assert "0 items, 0 waiting>" in words


def test_the_lock_of_a_full_queue_is_not_kept_by_who_gives_up(run):
    for kind in (Queue, LifoQueue, PriorityQueue):

        def main(kind=kind):
            items = kind(1)
            items.put(1)
            with pytest.raises(queue.Full):
                items.put(2, timeout=0.01)
            leaving = spawn(items.put, 3)
            suspend()
            leaving.cancel()
            return outcome(leaving), items.mutex.locked(), items.get()

        assert run(main) == (Cancelled, False, 1)


# -- leaving ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_getter_that_was_given_an_item_keeps_it_though_cancelled(kind, seeds):
    def main():
        items = kind()
        first, second = spawn(items.get), spawn(items.get)
        until(waiting(items, 2))
        items.put("only one")
        first.cancel()
        second.cancel()
        return sorted([outcome(first), outcome(second)], key=str)

    for schedule in seeds:
        assert trueasync.testing.run(main) == [Cancelled, "only one"], schedule


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_outlives_the_timeout_of_who_waited(kind, seeds):
    # Put exactly when the wait ends: either it is taken, or it stays.
    def main():
        items, got = kind(), []

        def get():
            try:
                got.append(items.get(timeout=1))
            except queue.Empty:
                pass

        spawn(get)
        spawn(get)
        trueasync.sleep(1)
        items.put("x")
        trueasync.sleep(1)
        return got, items.qsize()

    for _ in seeds:
        got, left = trueasync.testing.run(main)
        assert len(got) + left == 1


def test_a_putter_that_is_cancelled_takes_its_item_away(seeds):
    def main():
        items = Queue(1)
        items.put("in")
        first, second = spawn(items.put, "first"), spawn(items.put, "second")
        until(waiting(items, 2))
        first.cancel()
        got = [items.get(), items.get()]
        return outcome(first), outcome(second), got, items.empty(), items.unfinished_tasks

    for _ in seeds:
        expected = (Cancelled, None, ["in", "second"], True, 2)
        assert trueasync.testing.run(main) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupted_thread_puts_back_what_it_was_given(kind, signal_when):
    items = kind()

    def handler():
        items.put("given")  # to the thread that waits, which is this one
        raise KeyboardInterrupt

    signal_when(waiting(items, 1), handler)
    with pytest.raises(KeyboardInterrupt):
        items.get()

    assert items.get_nowait() == "given"


# -- what programs do besides ----------------------------------------------------------------


def test_the_container_is_that_of_the_standard_library():
    assert Queue().queue == collections.deque()
    assert LifoQueue().queue == PriorityQueue().queue == []


def test_it_keeps_out_of_the_way_of_who_holds_the_mutex(run, thread):
    items = Queue()
    for number in range(3):
        items.put(number)

    def main():
        with items.mutex:
            putter = thread(items.put, "later")
            until(waiting(items.mutex, 1))
            items.queue.clear()
        putter.result()
        return items.get()

    assert run(main) == "later"


def test_a_subclass_may_keep_its_items_elsewhere(seeds):
    class Distinct(Queue):
        def _init(self, maxsize):
            self.queue = set()

        def _put(self, item):
            self.queue.add(item)

        def _get(self):
            return self.queue.pop()

    def main():
        items = Distinct()
        waits = spawn(items.get)
        until(waiting(items, 1))
        for _ in range(3):
            items.put("same")
        return waits.result(), items.qsize()

    for _ in seeds:
        got, left = trueasync.testing.run(main)
        assert (got, left) == ("same", 1)


def test_a_deadlock_says_what_is_missing(python):
    script = """
import trueasync
from trueasync import Queue, spawn
def main():
    empty, full, undone = Queue(), Queue(1), Queue()
    full.put(1)
    undone.put(1)
    spawn(empty.get)
    spawn(full.put, 2)
    undone.join()
trueasync.run(main)
"""
    text = python(script).stderr

    assert "DeadlockError: 3 waiting" in text
    for words in ("an item from <", "room in <", "the work on 1 items of <"):
        assert words in text


def test_no_deadlock_while_a_thread_may_put(run, thread):
    items = Queue()
    go = threading.Event()

    def main():
        waits = spawn(items.get)
        suspend()
        go.set()
        return waits.result()

    thread(lambda: go.wait() and items.put("from a thread"))

    assert run(main) == "from a thread"


def test_an_item_may_refer_to_the_queue_it_lies_in():
    class Item:
        pass

    gone = []
    for kind in (Queue, LifoQueue, SimpleQueue):
        items, item = kind(), Item()
        item.queue = items
        item.last = Last(gone)
        items.put(item)
        del items, item
    gc.collect()

    assert len(gone) == 3


class Last:
    def __init__(self, gone):
        self.gone = gone

    def __del__(self):
        self.gone.append(1)


def test_it_is_generic_as_those_of_the_standard_library():
    for kind in KINDS:
        assert kind[int].__origin__ is kind

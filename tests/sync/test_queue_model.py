"""Queues against a model: random programs of puts, gets, timeouts, cancels and shutdowns."""

import queue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import EXAMPLES, ORDERS, Program, run_in_order, steps

from trueasync import LifoQueue, PriorityQueue, Queue, ShutDown, sleep, spawn

STEPS = steps("put", "get", "put_nowait", "get_nowait", "suspend", numbered=["cancel", "wait"])


class Shop(Program):
    """Keeps book of what was put and got, each by the word of who did it."""

    def __init__(self, items):
        super().__init__()
        self.items = items
        self.put_in, self.got = [], []
        self.number = 0

    def spawn(self, function, *args):
        self.coroutines.append(spawn(self.attempt, function, *args))

    def attempt(self, function, *args):
        try:
            function(*args)
        except (queue.Empty, queue.Full):
            pass
        except ShutDown:
            assert self.items.is_shutdown

    def next_number(self):
        self.number += 1
        return self.number

    def putting(self, *args):
        number = self.next_number()
        self.items.put(number, *args)
        self.put_in.append(number)

    def getting(self, *args):
        self.got.append(self.items.get(*args))

    def put(self, number):
        self.spawn(self.putting)

    def get(self, number):
        self.spawn(self.getting)

    def put_nowait(self, number):
        self.attempt(self.putting, False)

    def get_nowait(self, number):
        self.attempt(self.getting, False)

    def wait(self, number):
        """A call with a timeout, or the time that runs out for those who have made one."""
        if number < 3:
            self.spawn(self.putting, True, 1)
        elif number < 6:
            self.spawn(self.getting, True, 1)
        else:
            sleep(0.5)

    def nobody_waits_without_need(self):
        getting = [c for c in self.coroutines if "an item from" in str(c.waits_for)]
        putting = [c for c in self.coroutines if "room in" in str(c.waits_for)]
        assert not (getting and (putting or self.items.qsize())), repr(self.items)
        assert not (putting and not self.items.full()), repr(self.items)

    def end(self):
        self.nobody_waits_without_need()
        self.items.shutdown()
        self.join()
        while self.items.qsize():
            self.got.append(self.items.get_nowait())
        assert sorted(self.put_in) == sorted(self.got), "lost or doubled"
        assert self.items.unfinished_tasks == len(self.put_in)
        assert repr(self.items).endswith("0 items, 0 waiting>"), "left in a line"


class Hooked(Queue):
    """One that keeps its items by Python code."""

    def _put(self, item):
        super()._put(item)


@pytest.mark.parametrize("kind", [Queue, LifoQueue, PriorityQueue, Hooked])
def test_nothing_is_lost_doubled_or_left_over(kind):
    @EXAMPLES
    @given(program=STEPS, maxsize=st.integers(0, 3), order=ORDERS)
    def check(program, maxsize, order):
        def main():
            shop = Shop(kind(maxsize))
            shop.run(program)
            shop.end()

        run_in_order(order, main)

    check()


@EXAMPLES
@given(program=steps("put", "get", "suspend"), maxsize=st.integers(0, 3))
def test_first_come_is_first_served(program, maxsize):
    def main():
        items = Queue(maxsize)
        putters, getters = [], []
        for name, _ in program:
            if name == "put":
                putters.append(spawn(items.put, len(putters)))
            elif name == "get":
                getters.append(spawn(items.get))
            else:
                sleep(0)
        pairs = min(len(putters), len(getters))
        # In the order of spawning they come to the queue, and so they are served.
        assert [getter.result() for getter in getters[:pairs]] == list(range(pairs))
        for coroutine in getters[pairs:] + putters[pairs:]:
            coroutine.cancel()

    run_in_order("fifo", main)

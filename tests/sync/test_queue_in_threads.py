"""Queues between native threads and coroutines of several runs: nothing lost, nothing twice."""

import gc
import queue
import random
import time

import pytest

import trueasync
from trueasync import Cancelled, LifoQueue, PriorityQueue, Queue, SimpleQueue, spawn, suspend
from trueasync.scheduler.calls import in_coroutine

KINDS = (Queue, LifoQueue, PriorityQueue, SimpleQueue)
END = 10**9  # comes last in a PriorityQueue


def make(kind):
    return kind() if kind is SimpleQueue else kind(7)


def produce(items, numbers):
    chance = random.Random(numbers.start)
    for number in numbers:
        while True:
            try:
                items.put(number, timeout=chance.choice([None, 0.0005, 0.01]))
                break
            except queue.Full:
                pass
        if chance.random() < 0.1:
            pause()


def consume(items, got):
    chance = random.Random(len(got))
    while True:
        try:
            number = items.get(timeout=chance.choice([None, None, 0.0005, 0.01]))
        except queue.Empty:
            continue
        if number == END:
            items.put(END)  # for the next
            return
        got.append(number)
        if chance.random() < 0.1:
            pause()


def pause():
    if in_coroutine():
        suspend()
    else:
        time.sleep(0)


def everybody(kind, thread, items_each):
    """Producers and consumers in two runs and in native threads, at one queue."""
    items, got = make(kind), []
    numbers = [range(start, start + items_each) for start in range(0, 6 * items_each, items_each)]

    def main(ranges):
        for several in ranges:
            spawn(produce, items, several)

    producers = [thread(trueasync.run, main, numbers[:2])]
    producers.append(thread(trueasync.run, main, numbers[2:4]))
    producers += [thread(produce, items, several) for several in numbers[4:]]
    consumers = [thread(trueasync.run, consume_in_run, items, got) for _ in range(2)]
    consumers += [thread(consume, items, got) for _ in range(2)]
    for worker in producers:
        worker.result()
    while items.qsize():
        time.sleep(0.001)
    items.put(END)
    for worker in consumers:
        worker.result()
    assert sorted(got) == list(range(6 * items_each))


def consume_in_run(items, got):
    for _ in range(3):
        spawn(consume, items, got)
    cancelled = [spawn(consume, items, got) for _ in range(3)]
    for coroutine in cancelled:
        trueasync.sleep(0.01)
        coroutine.cancel()
    for coroutine in cancelled:
        try:
            coroutine.result()
        except Cancelled:
            pass


@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_coroutines_hammer_one_queue(kind, thread):
    everybody(kind, thread, 200)


@pytest.mark.stress
@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_coroutines_hammer_one_queue_for_long(kind, thread):
    everybody(kind, thread, 10_000)


def test_the_shutdown_reaches_everybody(thread):
    items, ended = Queue(), []

    def get():
        try:
            items.get()
        except trueasync.ShutDown:
            ended.append(1)

    def main():
        for _ in range(3):
            spawn(get)

    workers = [thread(trueasync.run, main), thread(get), thread(get)]
    while ", 5 waiting" not in repr(items):
        time.sleep(0.001)
    items.shutdown()
    for worker in workers:
        worker.result()

    assert len(ended) == 5


class Cyclic:
    """Dies in a garbage collection, and puts something in then."""

    def __init__(self, items, put):
        self.items, self.put, self.itself = items, put, self

    def __del__(self):
        self.items.put(-len(self.put) - 1)
        self.put.append(1)


@pytest.mark.parametrize("kind", [Queue, SimpleQueue])
def test_a_finalizer_may_put_into_the_queue_that_is_being_used(kind):
    items, got, put = kind(), [], []
    for number in range(5000):
        items.put(number)
        Cyclic(items, put)
        if number % 3 == 0:
            got.append(items.get())
    gc.collect()
    got += [items.get_nowait() for _ in range(items.qsize())]

    assert [number for number in got if number >= 0] == list(range(5000))
    assert [-number for number in got if number < 0] == list(range(1, 5001))

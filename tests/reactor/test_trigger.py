"""Trigger and post: what other threads may do to a reactor."""

import gc
import sys
import threading
import weakref

import pytest

import trueasync
from trueasync.events.event import Listener
from trueasync.reactor.reactor import UvReactor
from trueasync.reactor.trigger import Trigger
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor


@pytest.fixture(params=[UvReactor, VirtualReactor], ids=["libuv", "virtual"])
def reactor_class(request):
    return request.param


class Told(Listener):
    def __init__(self, notes):
        self.notes = notes

    def notify(self, event):
        self.notes.append(event.outcome())
        return True


def in_a_thread(function, *args):
    thread = threading.Thread(target=function, args=args)
    thread.start()
    return thread


def wait(event):
    return running_scheduler("test").wait(event)


# -- fire ----------------------------------------------------------------------------------


def test_a_fire_in_another_thread_ends_the_wait(reactor):
    trigger, told = reactor.trigger(), []
    trigger.add_listener(Told(told))
    trigger.start()

    thread = in_a_thread(trigger.fire, "value")
    while not told:
        reactor.poll(True)
    thread.join()

    assert (told, reactor.active) == (["value"], 0)


def test_nothing_happens_in_the_thread_that_fires(reactor):
    trigger, told = reactor.trigger(), []
    trigger.add_listener(Told(told))
    trigger.start()

    in_a_thread(trigger.fire).join()
    before = trigger.fired, list(told)
    reactor.poll(True)

    assert (before, told) == ((False, []), [None])


def test_fires_before_anybody_waits_are_one_and_are_kept(reactor):
    trigger = reactor.trigger()

    news = [trigger.fire(number) for number in range(3)]
    reactor.poll(False)
    unstarted = trigger.fired
    trigger.start()

    assert news == [True, False, False]
    assert not unstarted
    assert (trigger.fired, trigger.outcome(), reactor.active) == (True, 0, 0)


def test_fires_on_their_way_are_one(reactor):
    trigger, told = reactor.trigger(), []
    trigger.add_listener(Told(told))
    trigger.start()

    news = [trigger.fire(number) for number in range(1000)]
    reactor.poll(True)
    reactor.poll(False)

    assert (news.count(True), told) == (1, [0])


def test_an_error_is_raised_for_who_waits(reactor):
    trigger = reactor.trigger()

    trigger.fire(error=OSError("broken"))
    trigger.start()

    with pytest.raises(OSError, match="broken"):
        trigger.outcome()


def test_a_fire_after_a_stop_waits_for_the_next_start(reactor):
    trigger = reactor.trigger()
    trigger.start()
    trigger.fire()
    trigger.stop()

    reactor.poll(False)
    stopped = trigger.fired
    trigger.start()

    assert (stopped, trigger.fired, reactor.active) == (False, True, 0)


def test_what_a_listener_raises_comes_out_of_poll_and_the_trigger_works_on(reactor):
    class Fails(Listener):
        def notify(self, event):
            raise ValueError("from the listener")

    trigger = reactor.trigger()
    trigger.add_listener(Fails())
    trigger.start()
    trigger.fire()

    with pytest.raises(ValueError, match="from the listener"):
        reactor.poll(True)
    trigger.again()
    trigger.fire("next")
    trigger.stop()
    trigger.start()

    assert (trigger.outcome(), reactor.active) == ("next", 0)


# -- again ---------------------------------------------------------------------------------


def test_it_fires_again_and_again(reactor):
    trigger, told = reactor.trigger(), []
    for number in range(5):
        trigger.start()
        trigger.add_listener(Told(told))
        trigger.fire(number)
        reactor.poll(True)
        trigger.stop()
        trigger.again()

    assert (told, reactor.active) == ([0, 1, 2, 3, 4], 0)


def test_a_fire_between_the_wake_up_and_again_wakes_once_more(reactor):
    trigger = reactor.trigger()
    trigger.start()
    trigger.fire("first")
    reactor.poll(True)
    trigger.stop()

    trigger.fire("second")
    replayed = trigger.outcome()
    trigger.again()
    trigger.start()

    assert (replayed, trigger.outcome()) == ("first", "second")


def test_again_without_a_fire_changes_nothing(reactor):
    trigger = reactor.trigger()
    trigger.start()

    trigger.again()
    counted = reactor.active
    trigger.fire()
    reactor.poll(True)

    assert (counted, trigger.fired) == (1, True)


def test_again_while_another_wait_has_not_ended_yet_keeps_the_count_right(reactor):
    # Two were woken; the first is ready for the next fire before the second has run.
    trigger = reactor.trigger()
    trigger.start()
    trigger.start()
    trigger.fire()
    reactor.poll(True)
    trigger.stop()
    trigger.again()
    trigger.start()
    counted = [(trigger.starts, reactor.active)]

    trigger.stop()
    counted.append((trigger.starts, reactor.active))
    trigger.stop()
    counted.append((trigger.starts, reactor.active))

    assert counted == [(2, 1), (1, 1), (0, 0)]


def test_every_fire_of_many_threads_is_followed_by_a_wake_up(run):
    def main():
        trigger = running_scheduler("test").reactor.trigger()
        left = []

        def produce(name):
            for number in range(2000):
                left.append((name, number))
                trigger.fire()

        threads = [in_a_thread(produce, name) for name in range(4)]
        taken = []
        while len(taken) < 8000:
            wait(trigger)
            trigger.again()
            while left:
                taken.append(left.pop())
        for thread in threads:
            thread.join()
        return sorted(taken) == [(name, number) for name in range(4) for number in range(2000)]

    assert run(main)


def test_several_coroutines_wait_for_each_fire(run):
    def main():
        trigger = running_scheduler("test").reactor.trigger()
        woken = [0] * 3

        def waits(number):
            for _ in range(50):
                wait(trigger)
                trigger.again()
                woken[number] += 1

        def fires():
            while min(woken) < 50:
                trigger.fire()

        waiting = [trueasync.spawn(waits, number) for number in range(3)]
        thread = in_a_thread(fires)
        for coroutine in waiting:
            coroutine.result()
        thread.join()
        return woken

    assert run(main) == [50, 50, 50]


def test_no_fire_is_lost_in_any_order_of_coroutines(seeds):
    def main():
        trigger = running_scheduler("test").reactor.trigger()
        jobs, done = [], []

        def works():
            while True:
                wait(trigger)
                trigger.again()
                trueasync.suspend()
                while jobs:
                    done.append(jobs.pop())
                    trueasync.suspend()
                if len(done) == 20:
                    return

        def gives():
            for number in range(20):
                jobs.append(number)
                trigger.fire()
                trueasync.suspend()

        worker = trueasync.spawn(works)
        trueasync.spawn(gives)
        worker.result()
        return sorted(done)

    for _ in seeds:
        assert trueasync.testing.run(main) == list(range(20))


# -- the end -------------------------------------------------------------------------------


def test_firing_after_the_reactor_was_closed_does_nothing_and_keeps_nothing(reactor):
    trigger, told = reactor.trigger(), []
    trigger.add_listener(Told(told))
    trigger.start()
    reactor.close()
    value = Told([])
    alive = weakref.ref(value)

    news = []
    in_a_thread(lambda sent: news.append(trigger.fire(sent)), value).join()
    del value
    gc.collect()

    assert (news, told, trigger.fired, alive()) == ([False], [], False, None)


def test_a_trigger_outlives_its_run(run):
    trigger = run(lambda: running_scheduler("test").reactor.trigger())

    assert not trigger.fire()
    with pytest.raises(RuntimeError, match="a trigger that another thread fires cannot be"):
        trigger.start()


def test_threads_may_fire_while_the_reactor_closes():
    for _ in range(50):
        reactor = UvReactor()
        trigger = reactor.trigger()
        trigger.start()
        stop = []

        def fires(trigger=trigger, stop=stop):
            while not stop:
                trigger.fire()

        thread = in_a_thread(fires)
        for _ in range(10):
            reactor.poll(True)
            trigger.again()
        reactor.close()
        stop.append(True)
        thread.join()


def test_a_hundred_thousand_fires_leave_nothing_behind(reactor):
    trigger = reactor.trigger()

    def fire_often(count):
        for number in range(count):
            trigger.start()
            trigger.fire(number)
            reactor.poll(True)
            trigger.stop()
            trigger.again()

    fire_often(100)
    before = sys.getrefcount(trigger), sys.getrefcount(None)
    fire_often(10_000)

    assert sys.getrefcount(trigger) == before[0]
    assert abs(sys.getrefcount(None) - before[1]) < 100


def test_it_is_made_by_the_reactor(reactor):
    assert type(reactor.trigger()) is Trigger


# -- post ----------------------------------------------------------------------------------


def test_a_million_calls_of_another_thread_come_in_order(reactor):
    got = []

    def produce():
        for number in range(1_000_000):
            reactor.post(lambda number=number: got.append(number))
        reactor.post(last.fire)

    last = reactor.trigger()
    last.start()
    thread = in_a_thread(produce)
    while not last.fired:
        reactor.poll(True)
    thread.join()

    assert got == list(range(1_000_000))


def test_a_call_posted_while_others_are_called_comes_with_the_next_poll(reactor):
    order = []

    def first():
        order.append("first")
        reactor.post(lambda: order.append("third"))

    reactor.post(first)
    reactor.post(lambda: order.append("second"))
    for _ in range(2):
        reactor.poll(True)

    assert order == ["first", "second", "third"]


def test_a_post_of_its_own_thread_ends_the_wait_too(reactor):
    called = []
    reactor.post(lambda: called.append(True))

    reactor.poll(True)

    assert called == [True]


def test_posting_to_a_closed_reactor_says_so(reactor):
    reactor.close()

    assert reactor.post(print) is False

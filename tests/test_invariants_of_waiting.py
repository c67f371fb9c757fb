"""The invariants of the design (section 5) about who is woken, and for what: 3, 7, 8.

A channel and a pool of resources come later; here a mailbox of a few lines stands for them.
"""

import collections

import pytest

import trueasync
from trueasync import DeadlockError
from trueasync.events.event import Event
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor
from trueasync.testing import run as run_virtual


def wait(*events):
    first, *rest = events
    scheduler = running_scheduler("test")
    return scheduler.wait(first, rest[0] if rest else None, rest[1:] or None)


def timer(seconds):
    return running_scheduler("test").reactor.timer(seconds)


# 3. A wake-up is not ownership.


class Mailbox(Event):
    """Gives each item to one waiter, in order: the nearest thing to a channel there is yet.

    An item that somebody was woken for is his: newcomers see only what is left over.
    """

    def __init__(self):
        self.waiting = collections.deque()
        self.items = collections.deque()
        self.reserved = 0

    def add_listener(self, listener):
        self.waiting.append(listener)

    def remove_listener(self, listener):
        super().remove_listener(listener)
        if listener in self.waiting:
            self.waiting.remove(listener)

    def put(self, item):
        self.items.append(item)
        self.offer()

    def offer(self):
        while self.waiting and len(self.items) > self.reserved:
            # False: it has been woken for something else, or is being cancelled.
            if self.waiting.popleft().notify(self):
                self.reserved += 1

    def get(self):
        if self.waiting or len(self.items) <= self.reserved:
            wait(self)
            self.reserved -= 1
        return self.items.popleft()


def test_3_what_a_waiter_was_woken_for_is_his_though_he_is_cancelled_before_he_runs():
    def main():
        box = Mailbox()
        waiter = trueasync.spawn(box.get)
        trueasync.suspend()
        box.put("item")
        waiter.cancel()
        return waiter.result(), len(box.items), box.reserved

    assert run_virtual(main) == ("item", 0, 0)


def test_3_what_comes_after_the_cancellation_goes_to_the_next_in_order():
    def main():
        box = Mailbox()
        first = trueasync.spawn(box.get)
        second = trueasync.spawn(box.get)
        trueasync.suspend()
        first.cancel()
        box.put("item")
        return second.result(), first.cancelled()

    assert run_virtual(main) == ("item", True)


def test_3_one_woken_by_something_else_passes_the_item_on():
    def main():
        box, other = Mailbox(), Event()
        first = trueasync.spawn(wait, other, box)
        second = trueasync.spawn(box.get)
        trueasync.suspend()
        other.fire()
        box.put("item")
        return second.result(), first.result() is other

    assert run_virtual(main) == ("item", True)


def receive_three(box, received, n):
    for _ in range(3):
        received.append(box.get())
        if n % 2:
            trueasync.suspend()


def send_four(box, n):
    for step in range(4):
        box.put((n, step))
        if step % 2:
            trueasync.suspend()


def test_3_nothing_is_lost_and_nothing_comes_twice(seeds):
    def main():
        box, received = Mailbox(), []
        receivers = [trueasync.spawn(receive_three, box, received, n) for n in range(6)]
        for n in range(4):
            trueasync.spawn(send_four, box, n)
        for coroutine in receivers[::2]:
            trueasync.spawn(coroutine.cancel)
        trueasync.sleep(1)
        for coroutine in receivers:
            coroutine.cancel()
        trueasync.sleep(1)
        assert box.reserved == 0
        assert not box.waiting
        return received + list(box.items)

    for _ in seeds:
        assert sorted(run_virtual(main)) == [(n, step) for n in range(4) for step in range(4)]


# 7. Liveness is decided at decision time, after one poll that does not wait.


def test_7_before_a_deadlock_is_declared_the_reactor_is_asked_once_more():
    """An event that is due, but not counted, still wakes who waits for it."""

    class Late(VirtualReactor):
        """Something happens that no armed event announced."""

        event = None

        def poll(self, wait):
            super().poll(wait)
            if self.event is not None:
                self.event.fire("just in time")

    def main():
        reactor.event = Event()
        wait(reactor.event)
        return reactor.event.outcome(), reactor.polls[-1]

    reactor = Late()
    assert run_on(reactor, main) == ("just in time", False)


@pytest.mark.parametrize("hidden", [1, 5])
def test_7_hidden_events_keep_nobody_waiting(run, hidden):
    def main():
        alarms = [timer(3600) for _ in range(hidden)]
        for alarm in alarms:
            alarm.hide()
            alarm.start()
        assert trueasync.stats()["active_events"] == 0
        wait(Event())

    with pytest.raises(DeadlockError):
        run(main)


def test_7_a_hidden_event_does_not_keep_a_run_from_ending(run):
    def main():
        alarm = timer(3600)
        alarm.hide()
        alarm.start()
        return "ended"

    assert run(main) == "ended"


def test_7_an_armed_event_alone_does_not_keep_a_run_from_ending(run):
    def main():
        timer(3600).start()
        return "ended"

    assert run(main) == "ended"


def test_7_the_count_of_active_events_moves_only_from_0_to_1_and_back(run):
    def main():
        def active():
            return trueasync.stats()["active_events"]

        alarm = timer(60)
        counts = [active()]
        for step in (alarm.start, alarm.start, alarm.stop, alarm.stop, alarm.stop, alarm.stop):
            step()
            counts.append(active())
        alarm.start()
        alarm.fire()
        counts.append(active())
        alarm.stop()
        alarm.stop()
        counts.append(active())
        return counts

    assert run(main) == [0, 1, 1, 1, 0, 0, 0, 0, 0]


def test_7_after_any_mixture_of_waits_the_count_is_exact(seeds):
    def main():
        shared = [timer(n + 1) for n in range(4)]

        def body(n):
            try:
                wait(shared[n % 4], timer(n / 2), shared[(n + 1) % 4])
            finally:
                trueasync.suspend()

        coroutines = [trueasync.spawn(body, n) for n in range(12)]
        for coroutine in coroutines[::3]:
            trueasync.spawn(coroutine.cancel)
        trueasync.sleep(100)
        return trueasync.stats()["active_events"], [event.starts for event in shared]

    for _ in seeds:
        assert run_virtual(main) == (0, [0] * 4)


# 8. A terminal condition wakes every waiter, whatever it waited for.


def test_8_the_end_of_a_coroutine_wakes_everyone_who_waits_for_it_in_whatever_way(seeds):
    def main():
        woken = []
        work = trueasync.spawn(lambda: trueasync.sleep(5) or 1 / 0)

        def asks():
            with pytest.raises(ZeroDivisionError):
                work.result()
            woken.append("asks")

        def asks_with_timeout():
            with pytest.raises(ZeroDivisionError):
                work.result(timeout=60)
            woken.append("asks with timeout")

        def waits_for_several():
            assert wait(Event(), timer(60), Event(), work) is work
            woken.append("waits for several")

        ways = (asks, asks_with_timeout, waits_for_several)
        for way in ways * 3:
            trueasync.spawn(way)
        trueasync.sleep(6)
        return sorted(woken)

    for _ in seeds:
        assert len(run_virtual(main)) == 9


def test_8_one_waiter_that_is_cancelled_does_not_stop_the_event_for_the_others(seeds):
    def main():
        woken = []
        shared = timer(5)

        def waiter(n):
            wait(shared, Event())
            woken.append(n)

        waiters = [trueasync.spawn(waiter, n) for n in range(6)]
        for _ in range(20):
            trueasync.suspend()
        for n in (0, 2, 5):
            trueasync.spawn(waiters[n].cancel)
        trueasync.sleep(10)
        return sorted(woken)

    for _ in seeds:
        assert run_virtual(main) == [1, 3, 4]

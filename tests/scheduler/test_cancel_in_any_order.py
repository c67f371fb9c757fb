"""Cancellation under drawn schedules: whoever ends, ends once; whatever was delivered, arrives."""

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run


def wait(event):
    running_scheduler("test").wait(event)
    return event.outcome()


def test_a_coroutine_gets_its_value_or_its_cancellation_and_never_both_or_neither(seeds):
    def main():
        outcomes = []

        def waiter(event):
            try:
                outcomes.append(wait(event))
            except Cancelled:
                outcomes.append("cancelled")
                raise

        for _ in range(10):
            event = Event()
            coroutine = trueasync.spawn(waiter, event)
            trueasync.spawn(event.fire, "value")
            trueasync.spawn(coroutine.cancel)
        trueasync.sleep(1)
        return outcomes

    kinds = set()
    for _ in seeds:
        outcomes = run(main)
        # One that was cancelled before it started says nothing.
        assert len(outcomes) <= 10
        kinds.update(outcomes)
    assert kinds == {"value", "cancelled"}


def test_every_waiter_hears_of_the_end_however_it_came(seeds):
    def main():
        heard = []

        def ask(coroutine):
            try:
                heard.append(coroutine.result())
            except (Cancelled, ZeroDivisionError) as error:
                heard.append(type(error).__name__)

        def body(kind):
            trueasync.suspend()
            return 1 // kind

        for kind in (0, 1):
            coroutine = trueasync.spawn(body, kind)
            for _ in range(3):
                trueasync.spawn(ask, coroutine)
            trueasync.spawn(coroutine.cancel)
        trueasync.sleep(1)
        return heard

    for _ in seeds:
        assert len(run(main)) == 6


def test_a_clean_up_is_run_once_and_to_its_end(seeds):
    def main():
        begun, ended = [], []

        def body(n):
            try:
                begun.append(n)
                trueasync.sleep(n)
            finally:
                trueasync.suspend()
                trueasync.sleep(1)
                ended.append(n)

        coroutines = [trueasync.spawn(body, n) for n in range(1, 8)]
        for coroutine in coroutines:
            for _ in range(3):
                trueasync.spawn(coroutine.cancel)
        trueasync.sleep(100)
        return begun, ended

    for _ in seeds:
        begun, ended = run(main)
        assert sorted(begun) == sorted(ended)


def test_after_any_mixture_no_event_is_left_started(seeds):
    def main():
        events = [Event() for _ in range(6)]
        scheduler = running_scheduler("test")

        def waiter(n):
            chosen = events[n:] + events[:n]
            scheduler.wait(chosen[0], chosen[1], chosen[2:])

        coroutines = [trueasync.spawn(waiter, n % 6) for n in range(12)]
        for n, coroutine in enumerate(coroutines):
            if n % 3 == 0:
                trueasync.spawn(coroutine.cancel)
        trueasync.suspend()
        trueasync.spawn(events[2].fire)
        trueasync.spawn(events[4].fire)
        trueasync.sleep(1)
        assert all(coroutine.done() for coroutine in coroutines)
        return [event.starts for event in events], trueasync.stats()["active_events"]

    for _ in seeds:
        assert run(main) == ([0] * 6, 0)

"""Random programs in random orders: whatever coroutines do to each other, the books balance.

A program is drawn from a seed: waits for one or several things, time-outs, cancellations at
every moment, errors, microtasks, switch handlers, redirections. No result is expected; what
is checked is what must hold in every program.
"""

import contextlib
import contextvars
import gc
import io
import random
import sys

import pytest

import trueasync
from trueasync import Cancelled, Moment
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.microtasks import Microtask
from trueasync.testing import run

MOST_COROUTINES = 40
identity = contextvars.ContextVar("identity", default=None)


class Failure(Exception):
    """What a body of a random program raises on purpose."""


class World:
    """One random program: its coroutines and events, and what it noted while it ran."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.coroutines = []
        self.events = [Event() for _ in range(4)]
        self.used_events = list(self.events)
        self.asked_to_stop = set()
        self.moments = []
        self.stdout = sys.stdout
        self.microtasks = [0, 0]  # added, and done with

    def main(self):
        self.scheduler = running_scheduler("test")
        for _ in range(self.random.randrange(2, 9)):
            self.spawn()
        while not all(coroutine.done() for coroutine in self.coroutines):
            trueasync.sleep(1)
        for coroutine in self.coroutines:
            with contextlib.suppress(Failure, Cancelled):
                coroutine.result()
        self.check_books()

    def check_books(self):
        stats = trueasync.stats()
        assert stats["coroutines"] == 1
        assert stats["ready"] == stats["microtasks"] == stats["active_events"] == 0
        assert stats["contexts_in_use"] == 1
        assert stats["contexts_idle"] + 1 <= stats["contexts_created"]
        assert stats["unclaimed_errors"] == 0
        assert [event.starts for event in self.used_events] == [0] * len(self.used_events)
        assert self.microtasks[0] == self.microtasks[1]
        assert sys.stdout is self.stdout
        for moments in self.moments:
            middle = [Moment.LEAVE, Moment.ENTER] * ((len(moments) - 2) // 2)
            assert moments in ([], [Moment.ENTER, *middle, Moment.FINISH])

    def spawn(self):
        if len(self.coroutines) >= MOST_COROUTINES:
            return
        name = len(self.coroutines)
        priority = self.random.choice([0, 0, 0, 255])
        coroutine = trueasync.options(name=f"n{name}", priority=priority).spawn(self.body, name)
        self.coroutines.append(coroutine)
        if self.random.random() < 0.3:
            moments = []
            self.moments.append(moments)
            coroutine.add_switch_handler(lambda _, moment: moments.append(moment) or True)

    def body(self, name):
        identity.set(name)
        try:
            for _ in range(self.random.randrange(2, 15)):
                try:
                    self.random.choice(self.STEPS)(self)
                except Cancelled:
                    if self.random.random() < 0.7:
                        raise
                assert identity.get() == name
                assert trueasync.current_coroutine().name == f"n{name}"
        finally:
            if self.random.random() < 0.3:
                trueasync.sleep(self.random.choice([0, 1]))

    # -- what a body may do ---------------------------------------------------------------

    def suspend(self):
        trueasync.suspend()

    def sleep(self):
        trueasync.sleep(self.random.choice([0, 0.5, 1, 2]))

    def wait(self):
        things = self.random.choices(self.events, k=self.random.randrange(0, 4))
        things += self.random.sample(self.coroutines, k=min(2, len(self.coroutines)))
        things = [thing for thing in things if thing is not trueasync.current_coroutine()]
        things.append(self.scheduler.reactor.timer(self.random.choice([0, 1, 3])))
        self.random.shuffle(things)
        first, *rest = things
        winner = self.scheduler.wait(first, rest[0] if rest else None, rest[1:] or None)
        assert winner.fired
        assert any(winner is thing for thing in things)

    def fire(self):
        place = self.random.randrange(len(self.events))
        fired, self.events[place] = self.events[place], Event()
        self.used_events.append(self.events[place])
        fired.fire(place)

    def cancel(self):
        victim = self.random.choice(self.coroutines)
        if victim.cancel():
            self.asked_to_stop.add(victim)

    def join(self):
        other = self.random.choice(self.coroutines)
        if other is trueasync.current_coroutine():
            return
        try:
            other.result(timeout=self.random.choice([0, 1, 5]))
        except (TimeoutError, Failure):
            pass
        except Cancelled:
            if trueasync.current_coroutine() in self.asked_to_stop:
                raise

    def fail(self):
        if self.random.random() < 0.3:
            raise Failure

    def microtask(self):
        action = self.random.choice([self.fire, self.cancel, self.spawn, gc.collect])
        task = Microtask(action, self.microtask_done)
        if self.random.random() < 0.2:
            task.cancel()
        self.microtasks[0] += 1
        self.scheduler.add_microtask(task)

    def microtask_done(self):
        self.microtasks[1] += 1

    def redirect(self):
        inside = io.StringIO()
        outside = sys.stdout
        with contextlib.redirect_stdout(inside):
            self.random.choice([self.suspend, self.sleep, self.wait, self.fail, self.cancel])()
            assert sys.stdout is inside
        assert sys.stdout is outside

    def handle_an_error(self):
        error = Failure()
        try:
            raise error
        except Failure:
            self.random.choice([self.suspend, self.sleep, self.wait])()
            assert sys.exc_info()[1] is error

    STEPS = (
        suspend, sleep, wait, wait, fire, cancel, join, join, fail, microtask, redirect,
        handle_an_error, spawn, spawn,
    )  # fmt: skip


def test_the_books_balance(seeds):
    for seed, _ in enumerate(seeds):
        run(World(seed).main)


@pytest.mark.stress
@pytest.mark.timeout(1800)
def test_the_books_balance_in_5_000_programs(monkeypatch):
    for seed in range(5_000):
        for schedule in ("fifo", f"random:{seed}", f"pct:{seed}"):
            monkeypatch.setenv("TRUEASYNC_SCHED", schedule)
            try:
                run(World(seed).main)
            except BaseException:
                print(f"World({seed}) with TRUEASYNC_SCHED={schedule}")
                raise

"""The tree of scopes against its promises: random programs, cancelled at random, in any order.

Hypothesis draws the program and the order of coroutines, and shrinks what fails.
"""

import os
import sys
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

import trueasync
from trueasync import Cancelled, UsageError, move_on, scope, shield, sleep, spawn, suspend, timeout
from trueasync.testing import run

if sys.version_info < (3, 11):
    from exceptiongroup import BaseExceptionGroup

EXAMPLES = int(os.environ.get("TRUEASYNC_SEEDS", "200"))

SIMPLE = st.one_of(
    st.tuples(st.just("sleep"), st.integers(0, 3)),
    st.just(("suspend",)),
    st.just(("fail",)),
    st.tuples(st.sampled_from(["cancel scope", "cancel coroutine"]), st.integers(0, 9)),
)


def nested(plans):
    steps = st.lists(plans, max_size=4)
    return st.one_of(
        st.tuples(st.just("scope"), steps),
        st.tuples(st.just("spawn"), steps),
        st.tuples(st.sampled_from(["timeout", "move on"]), st.integers(0, 3), steps),
        st.tuples(st.just("shielded sleep"), st.integers(0, 3)),
        st.tuples(st.just("clean up"), steps, st.integers(0, 2)),
        st.tuples(st.just("swallow"), steps),
    )


STEPS = st.lists(st.recursive(SIMPLE, nested, max_leaves=25), min_size=1, max_size=6)
ORDERS = st.one_of(
    st.just("fifo"), st.builds("{}:{}".format, st.sampled_from(["random", "pct"]), st.integers(0))
)


class Failure(Exception):
    """Raised by a step; each is one of its own."""


class Program:
    """Runs the steps, and keeps book of who was spawned where."""

    def __init__(self):
        self.scopes = []
        self.coroutines = []
        self.children = {}  # scope -> its coroutines

    def body(self, steps):
        self.do_all(steps)

    def do_all(self, steps):
        for step in steps:
            getattr(self, "do_" + step[0].replace(" ", "_"))(*step[1:])

    def do_sleep(self, seconds):
        sleep(seconds)

    def do_suspend(self):
        suspend()

    def do_fail(self):
        raise Failure

    def do_spawn(self, steps):
        here = trueasync.current_scope()
        try:
            coroutine = spawn(self.body, steps)
        except UsageError:
            assert here.cancelled, "refused without a reason"
            return
        self.coroutines.append(coroutine)
        self.children[here].append(coroutine)

    def do_cancel_scope(self, number):
        if self.scopes:
            self.scopes[number % len(self.scopes)].cancel(grace=number or None)

    def do_cancel_coroutine(self, number):
        if self.coroutines:
            self.coroutines[number % len(self.coroutines)].cancel()

    def do_timeout(self, seconds, steps):
        try:
            with timeout(seconds):
                self.do_all(steps)
        except TimeoutError:
            pass

    def do_move_on(self, seconds, steps):
        with move_on(seconds):
            self.do_all(steps)

    def do_shielded_sleep(self, seconds):
        with shield():
            start = trueasync.clock()
            sleep(seconds)
            assert trueasync.clock() == start + seconds

    def do_clean_up(self, steps, seconds):
        try:
            self.do_all(steps)
        finally:
            sleep(seconds)

    def do_swallow(self, steps):
        try:
            self.do_all(steps)
        except Cancelled:
            pass

    def do_scope(self, steps):
        try:
            with scope() as s:
                self.scopes.append(s)
                self.children[s] = []
                self.do_all(steps)
        except BaseExceptionGroup as group:
            self.look_at(s, group.exceptions)
        except BaseException:
            self.look_at(s, [])
            raise
        else:
            self.look_at(s, [])

    def look_at(self, s, errors):
        """The scope has been left: nobody is there, and no error was lost."""
        assert s.coroutines == []
        for coroutine in self.children[s]:
            assert coroutine.done()
            if not coroutine.cancelled():
                error = coroutine.exception()
                assert error is None or any(error is one for one in errors), "lost"
        assert all(isinstance(error, Failure) for error in errors), errors


@settings(max_examples=EXAMPLES, deadline=None)
@given(steps=STEPS, order=ORDERS)
def test_scopes_keep_their_promises(steps, order):
    program = Program()

    def main():
        program.do_scope(steps)
        assert [one.name.rpartition(".")[2] for one in trueasync.get_coroutines()] == ["main"]
        return trueasync.stats()["active_events"]

    with mock.patch.dict(os.environ, TRUEASYNC_SCHED=order):
        assert run(main) == 0
    ended = sum(
        one.cancelled() or one.failed() or one.result() is None for one in program.coroutines
    )
    assert ended == len(program.coroutines)
    program.children.clear()
    program.scopes.clear()

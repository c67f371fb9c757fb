"""What the model tests of this folder share: programs, orders, and how they are run."""

import os
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st

from trueasync import Cancelled, suspend
from trueasync.testing import run

ORDERS = st.one_of(
    st.just("fifo"), st.builds("{}:{}".format, st.sampled_from(["random", "pct"]), st.integers(0))
)
# As many programs as other tests have schedules; `dev.py stress` asks for more.
EXAMPLES = settings(max_examples=int(os.environ.get("TRUEASYNC_SEEDS", "200")), deadline=None)


def steps(*names, numbered=()):
    """Programs of these steps; those that are `numbered` come with a number."""
    kinds = [st.tuples(st.sampled_from(names), st.just(0))]
    if numbered:
        kinds.append(st.tuples(st.sampled_from(numbered), st.integers(0, 7)))
    return st.lists(st.one_of(kinds), min_size=10, max_size=50)


def run_in_order(order, main):
    with mock.patch.dict(os.environ, TRUEASYNC_SCHED=order):
        run(main)


class Program:
    """Runs steps, each a method of this object, and keeps its coroutines."""

    def __init__(self):
        self.coroutines = []

    def run(self, program):
        for name, number in program:
            getattr(self, name)(number)
        self.settle()

    def suspend(self, number):
        suspend()

    def cancel(self, number):
        if self.coroutines:
            self.coroutines[number % len(self.coroutines)].cancel()

    def settle(self):
        """Let everyone go as far as they can."""
        for _ in range(4 * len(self.coroutines) + 4):
            suspend()

    def join(self):
        for coroutine in self.coroutines:
            try:
                coroutine.result()
            except Cancelled:
                pass

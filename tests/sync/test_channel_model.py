"""Channel against a model: random programs of sends, receives, selects, cancels and closes.

Hypothesis draws the program and the order of coroutines, and shrinks what fails.
"""

import os
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from trueasync import Cancelled, Channel, ChannelClosed, select, spawn, suspend
from trueasync.testing import run

STEPS = st.lists(
    st.one_of(
        st.sampled_from(["send", "receive", "try_send", "try_receive", "loop", "close", "suspend"]),
        st.tuples(st.sampled_from(["select", "cancel"]), st.integers(0, 7)),
    ),
    max_size=40,
)
ORDERS = st.one_of(
    st.just("fifo"), st.builds("{}:{}".format, st.sampled_from(["random", "pct"]), st.integers(0))
)


class Program:
    """Runs the steps, and keeps book of what was sent and received, each by its own word."""

    def __init__(self, capacity):
        self.channel = Channel(capacity)
        self.other = Channel()  # the second case of every select; nobody else is there
        self.coroutines = []
        self.sent = []  # by the word of its sender
        self.received = []
        self.next_value = 0

    def step(self, step):
        name, number = step if isinstance(step, tuple) else (step, 0)
        if name == "suspend":
            suspend()
        elif name == "cancel":
            if self.coroutines:
                self.coroutines[number % len(self.coroutines)].cancel()
        elif name == "close":
            self.channel.close()
        elif name.startswith("try"):
            self.attempt(getattr(self, name))
        elif name == "select":
            self.coroutines.append(spawn(self.attempt, self.select, number % 2 == 0))
        else:
            self.coroutines.append(spawn(self.attempt, getattr(self, name)))

    def attempt(self, operation, *args):
        try:
            operation(*args)
        except ChannelClosed:
            assert self.channel.closed

    def value(self):
        self.next_value += 1
        return self.next_value

    def send(self):
        value = self.value()
        self.channel.send(value)
        self.sent.append(value)

    def try_send(self):
        value = self.value()
        if self.channel.try_send(value):
            self.sent.append(value)

    def receive(self):
        self.received.append(self.channel.receive())

    def try_receive(self):
        value = self.channel.try_receive()
        if value is not None:
            self.received.append(value)

    def loop(self):
        for value in self.channel:
            self.received.append(value)

    def select(self, sends):
        value = self.value()
        case = self.channel.sending(value) if sends else self.channel
        index, got = select(self.other, case)
        assert index == 1
        if sends:
            self.sent.append(value)
        else:
            self.received.append(got)

    def end(self):
        """Let everyone go as far as they can, then end it all, and look at the books."""
        for _ in range(3 * len(self.coroutines) + 3):
            suspend()
        self.nobody_waits_without_need()
        self.channel.close()
        for coroutine in self.coroutines:
            try:
                coroutine.result()
            except Cancelled:
                pass
        self.attempt(self.loop)
        assert sorted(self.sent) == sorted(self.received), "lost or doubled"
        assert repr(self.channel).endswith("closed>")
        assert repr(self.other) == "<Channel 0/0, 0 receiving, 0 sending>", "left in a line"

    def nobody_waits_without_need(self):
        if self.channel.closed:
            assert not [c for c in self.coroutines if c.state == "waiting"]
            return
        text = repr(self.channel)
        receiving = ", 0 receiving" not in text
        sending = ", 0 sending" not in text
        assert not (receiving and (sending or self.channel.buffered)), text
        assert not (sending and self.channel.buffered < self.channel.capacity), text


@settings(max_examples=400, deadline=None)
@given(steps=STEPS, capacity=st.integers(0, 3), order=ORDERS)
def test_nothing_is_lost_doubled_or_left_over(steps, capacity, order):
    def main():
        program = Program(capacity)
        for step in steps:
            program.step(step)
        program.end()

    with mock.patch.dict(os.environ, TRUEASYNC_SCHED=order):
        run(main)


@settings(max_examples=200, deadline=None)
@given(
    steps=st.lists(st.sampled_from(["send", "receive", "suspend"]), max_size=40),
    capacity=st.integers(0, 3),
)
def test_first_come_is_first_served(steps, capacity):
    def main():
        channel = Channel(capacity)
        senders, receivers = [], []
        for step in steps:
            if step == "send":
                senders.append(spawn(channel.send, len(senders)))
            elif step == "receive":
                receivers.append(spawn(channel.receive))
            else:
                suspend()
        pairs = min(len(senders), len(receivers))
        # In the order of spawning they come to the channel, and so they are served.
        assert [receiver.result() for receiver in receivers[:pairs]] == list(range(pairs))
        for coroutine in receivers[pairs:] + senders[pairs:]:
            coroutine.cancel()

    run(main)

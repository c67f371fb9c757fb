"""ThreadChannel: a channel between native threads and the coroutines of several runs."""

import pytest
from natives import until

import trueasync
from trueasync import Cancelled, Channel, ChannelClosed, ThreadChannel, select, spawn, suspend


def send_all(channel, values):
    for value in values:
        channel.send(value)


def receive_until_closed(channel, into):
    for value in channel:
        into.append(value)


def receiving(channel, count):
    return lambda: f", {count} receiving" in repr(channel)


@pytest.mark.parametrize("capacity", [0, 1, 5])
def test_values_go_from_a_thread_to_a_run_in_order(capacity, run, thread):
    channel = ThreadChannel(capacity)

    def produce():
        with channel:
            send_all(channel, range(200))

    def main():
        thread(produce)
        return list(channel)

    assert run(main) == list(range(200))


@pytest.mark.parametrize("capacity", [0, 1, 5])
def test_values_go_from_a_run_to_a_thread_in_order(capacity, run, thread):
    channel, got = ThreadChannel(capacity), []

    def main():
        consumer = thread(receive_until_closed, channel, got)
        send_all(channel, range(200))
        channel.close()
        until(lambda: not consumer.thread.is_alive())

    run(main)

    assert got == list(range(200))


def everybody(capacity, thread, each):
    channel, got = ThreadChannel(capacity), []
    ranges = [range(start, start + each) for start in range(0, 6 * each, each)]

    def produce(several):
        for values in several:
            spawn(send_all, channel, values)

    def consume():
        for _ in range(3):
            spawn(receive_until_closed, channel, got)
        spawn(choose, channel, got)
        for _ in range(3):
            leaving = spawn(receive_until_closed, channel, got)
            trueasync.sleep(0.005)
            leaving.cancel()

    producers = [thread(trueasync.run, produce, ranges[:2])]
    producers += [thread(trueasync.run, produce, ranges[2:4])]
    producers += [thread(send_all, channel, values) for values in ranges[4:]]
    consumers = [thread(trueasync.run, consume) for _ in range(2)]
    consumers += [thread(receive_until_closed, channel, got) for _ in range(2)]
    for worker in producers:
        worker.result()
    channel.close()
    for worker in consumers:
        worker.result()
    assert sorted(got) == list(range(6 * each))


def choose(channel, got):
    """Receive from one of two channels, of which the other stays empty."""
    other = Channel()
    while True:
        try:
            got.append(select(other, channel)[1])
        except ChannelClosed:
            return


@pytest.mark.parametrize("capacity", [0, 1, 5])
def test_threads_and_coroutines_hammer_one_channel(capacity, thread):
    everybody(capacity, thread, 100)


@pytest.mark.stress
@pytest.mark.timeout(300)
@pytest.mark.parametrize("capacity", [0, 1, 5])
def test_threads_and_coroutines_hammer_one_channel_for_long(capacity, thread):
    everybody(capacity, thread, 10_000)


def test_a_select_that_another_case_has_won_takes_nothing(run, thread):
    channel, other = ThreadChannel(), ThreadChannel()

    def main():
        chooses = spawn(select, channel, other)
        suspend()
        sender = thread(channel.send, "first")
        index, value = chooses.result()
        until(lambda: not sender.thread.is_alive())
        return index, value, other.try_send("nobody is there")

    assert run(main) == (0, "first", False)


def test_closing_tells_whoever_waits_in_whatever_thread(run, thread):
    channel, ended = ThreadChannel(), []

    def receive():
        try:
            channel.receive()
        except ChannelClosed as error:
            ended.append(error.reason)

    def main():
        thread(receive)
        thread(trueasync.run, receive)
        spawn(receive)
        until(receiving(channel, 3))
        channel.close("enough")
        until(lambda: len(ended) == 3)

    run(main)

    assert ended == ["enough"] * 3


@pytest.mark.parametrize("capacity", [0, 1])
def test_an_interrupted_thread_puts_back_what_it_was_given(capacity, signal_when):
    channel = ThreadChannel(capacity)

    def handler():
        channel.send("given")  # to the thread that waits, which is this one
        raise KeyboardInterrupt

    signal_when(receiving(channel, 1), handler)
    with pytest.raises(KeyboardInterrupt):
        channel.receive()

    assert channel.receive() == "given"


def test_a_value_given_to_a_cancelled_coroutine_is_its_own(seeds):
    def main():
        channel = ThreadChannel()
        first, second = spawn(channel.receive), spawn(channel.receive)
        until(receiving(channel, 2))
        channel.send("only one")
        outcomes = []
        for coroutine in (first, second):
            coroutine.cancel()
        for coroutine in (first, second):
            try:
                outcomes.append(coroutine.result())
            except Cancelled:
                outcomes.append(None)
        return sorted(outcomes, key=str)

    for _ in seeds:
        assert trueasync.testing.run(main) == [None, "only one"]


def test_a_sender_waits_though_a_value_was_put_back(signal_when, thread):
    # What an interrupted receiver leaves behind is no room for the next sender.
    channel = ThreadChannel()

    def handler():
        channel.send("given")
        raise KeyboardInterrupt

    signal_when(receiving(channel, 1), handler)
    with pytest.raises(KeyboardInterrupt):
        channel.receive()
    sender = thread(channel.send, "next")
    until(lambda: ", 1 sending" in repr(channel))
    first = channel.receive()

    assert (first, sender.thread.is_alive()) == ("given", True)
    assert channel.receive() == "next"

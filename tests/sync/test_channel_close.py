"""Closing a channel: what is in it comes out, who waits is told, and the reason stays."""

import pytest

from trueasync import Cancelled, Channel, ChannelClosed, spawn, suspend
from trueasync.testing import run


def consume(channel, into):
    for value in channel:
        into.append(value)


def attempt(function, *args):
    try:
        return function(*args)
    except ChannelClosed as error:
        return error


def test_what_lies_in_a_closed_channel_can_be_received():
    channel = Channel(2)
    channel.send(1)
    channel.send(2)
    channel.close()

    assert [channel.receive(), channel.try_receive()] == [1, 2]
    with pytest.raises(ChannelClosed):
        channel.receive()
    with pytest.raises(ChannelClosed):
        channel.try_receive()


def test_nothing_more_goes_in():
    channel = Channel(2)
    channel.close()

    with pytest.raises(ChannelClosed, match=r"closed at .*test_channel_close\.py"):
        channel.send(1)
    with pytest.raises(ChannelClosed):
        channel.try_send(1)


def test_who_waits_to_receive_is_told():
    def main():
        channel = Channel()
        waiting = [spawn(attempt, channel.receive) for _ in range(2)]
        suspend()
        channel.close("no more")
        return [coroutine.result() for coroutine in waiting]

    errors = run(main)

    assert [error.reason for error in errors] == ["no more", "no more"]
    assert errors[0] is not errors[1]


def test_who_waits_to_send_is_told_and_keeps_the_value():
    def main():
        channel = Channel()
        waiting = spawn(attempt, channel.send, "withdrawn")
        suspend()
        channel.close()
        return attempt(channel.try_receive), waiting.result()

    received, sent = run(main)

    assert isinstance(received, ChannelClosed)
    assert isinstance(sent, ChannelClosed)


def test_a_value_that_was_taken_survives_the_close():
    def main():
        channel = Channel()
        receiver = spawn(channel.receive)
        suspend()
        channel.send("taken")
        channel.close()
        sender_side = Channel()
        sender = spawn(attempt, sender_side.send, "sent")
        suspend()
        got = sender_side.receive()
        sender_side.close()
        return receiver.result(), got, sender.result()

    assert run(main) == ("taken", "sent", None)


def test_a_loop_ends_with_a_normal_close():
    def main():
        channel = Channel(1)

        def produce():
            with channel:
                for value in range(5):
                    channel.send(value)

        spawn(produce)
        return list(channel)

    assert run(main) == [0, 1, 2, 3, 4]


def test_a_loop_raises_when_the_close_had_a_reason():
    def main():
        channel, seen = Channel(1), []

        def produce():
            with channel:
                channel.send("first")
                raise OSError("the disk is gone")

        producer = spawn(produce)
        with pytest.raises(ChannelClosed, match="the disk is gone") as caught:
            consume(channel, seen)
        with pytest.raises(OSError, match="disk"):
            producer.result()
        assert isinstance(caught.value.__cause__, OSError)
        assert caught.value.reason is caught.value.__cause__
        return seen

    assert run(main) == ["first"]


def test_a_cancelled_producer_does_not_look_like_a_normal_end():
    def main():
        channel = Channel()

        def produce():
            with channel:
                channel.send("never taken")

        producer = spawn(produce)
        suspend()
        producer.cancel()
        with pytest.raises(ChannelClosed) as caught:
            list(channel)
        return caught.value.reason

    assert isinstance(run(main), Cancelled)


def test_the_first_close_wins():
    channel = Channel()

    assert channel.close("first") is True
    assert channel.close("second") is False
    assert channel.reason == "first"
    assert channel.closed


def test_the_error_names_the_channel():
    channel = Channel()
    channel.close()

    with pytest.raises(ChannelClosed) as caught:
        channel.receive()

    assert caught.value.channel is channel


def test_a_loop_does_not_end_with_the_close_of_another_channel():
    inner = Channel()
    inner.close()

    class Relay:
        def __iter__(self):
            return self

        def __next__(self):
            return inner.receive()

    with pytest.raises(ChannelClosed):
        list(Relay())


def test_close_in_any_order_loses_and_doubles_nothing(seeds):
    def main():
        channel, taken, sent = Channel(2), [], []

        def produce(number):
            for value in range(5):
                try:
                    channel.send((number, value))
                except ChannelClosed:
                    return
                sent.append((number, value))

        def consume():
            taken.extend(channel)

        everyone = [spawn(produce, number) for number in range(3)]
        everyone += [spawn(consume) for _ in range(3)]
        for _ in range(4):
            suspend()
        channel.close()
        for coroutine in everyone:
            coroutine.result()
        assert sorted(taken) == sorted(sent)

    for _schedule in seeds:
        run(main)

"""Channel: each value to one receiver, in order, in whatever order coroutines run."""

import gc
import itertools
import weakref

import pytest

import trueasync
from trueasync import (
    Cancelled,
    Channel,
    ChannelClosed,
    DeadlockError,
    UsageError,
    sleep,
    spawn,
    suspend,
)
from trueasync.testing import run

CAPACITIES = (0, 1, 3)


def send_all(channel, values):
    for value in values:
        channel.send(value)


def receive_many(channel, count, into):
    for _ in range(count):
        into.append(channel.receive())


# -- order -------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_values_come_in_the_order_they_were_sent(seeds, capacity):
    def main():
        channel, received = Channel(capacity), []
        spawn(send_all, channel, range(20))
        spawn(receive_many, channel, 20, received).result()
        return received

    for schedule in seeds:
        assert run(main) == list(range(20)), schedule


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_each_value_goes_to_one_of_several_receivers(seeds, capacity):
    def main():
        channel, received = Channel(capacity), [[] for _ in range(5)]
        for number in range(4):
            spawn(send_all, channel, range(number * 10, number * 10 + 10))
        workers = [spawn(receive_many, channel, 8, into) for into in received]
        for worker in workers:
            worker.result()
        return received

    for schedule in seeds:
        received = run(main)

        assert sorted(itertools.chain(*received)) == list(range(40)), schedule
        for own in received:
            for number in range(4):
                of_one_sender = [value for value in own if value // 10 == number]
                assert of_one_sender == sorted(of_one_sender), schedule


def test_who_waits_longest_receives_first():
    def main():
        channel, order = Channel(), []

        def receive(name):
            order.append((name, channel.receive()))

        for name in "abc":
            spawn(receive, name)
        suspend()
        send_all(channel, (1, 2, 3))
        suspend()
        return order

    assert run(main) == [("a", 1), ("b", 2), ("c", 3)]


def test_who_comes_new_overtakes_nobody_who_was_woken():
    def main():
        channel, got = Channel(1), []

        def receive():
            got.append(channel.receive())

        waiting = spawn(receive)
        suspend()
        channel.send("for the one who waits")
        barging = channel.try_receive("nothing")  # it is woken, but has not run yet
        waiting.result()
        return barging, got

    assert run(main) == ("nothing", ["for the one who waits"])


# -- how long it waits -------------------------------------------------------------------


def test_a_rendezvous_waits_for_the_receiver(run):
    def main():
        channel, log = Channel(), []

        def send():
            channel.send("value")
            log.append("sent")

        sender = spawn(send)
        sleep(0.001)
        log.append(channel.receive())
        sender.result()
        return log

    assert run(main) == ["value", "sent"]


def test_a_buffer_takes_as_many_values_as_its_capacity():
    def main():
        channel = Channel(2)
        return [channel.try_send(value) for value in range(4)], channel.buffered

    assert run(main) == ([True, True, False, False], 2)


def test_a_place_that_is_free_goes_to_the_sender_who_waits():
    def main():
        channel = Channel(1)
        channel.send(1)
        waiting = spawn(channel.send, 2)
        suspend()

        first = channel.receive()
        barging = channel.try_send(3)
        waiting.result()
        return first, barging, channel.receive()

    assert run(main) == (1, False, 2)


def test_what_is_there_costs_no_switch():
    def main():
        channel = Channel(10)
        before = trueasync.stats()["switches"]
        send_all(channel, range(10))
        received = []
        receive_many(channel, 10, received)
        return trueasync.stats()["switches"] - before, received

    assert run(main) == (0, list(range(10)))


@pytest.mark.parametrize(("capacity", "most"), [(0, 2.0), (1, 1.0), (10, 0.5)])
def test_a_value_costs_few_switches(capacity, most):
    def main():
        channel, received = Channel(capacity), []
        before = trueasync.stats()["switches"]
        spawn(send_all, channel, range(1000))
        spawn(receive_many, channel, 1000, received).result()
        return (trueasync.stats()["switches"] - before) / 1000

    assert run(main) <= most


def test_without_a_value_try_receive_gives_the_default():
    channel = Channel()

    assert channel.try_receive() is None
    assert channel.try_receive(default="none") == "none"
    assert channel.try_send("nobody is there") is False


def test_a_channel_can_be_filled_before_the_run_and_emptied_after_it():
    channel = Channel(5)
    assert channel.try_send("before")

    def main():
        channel.send(channel.receive() + " and within")

    run(main)

    assert channel.receive() == "before and within"


# -- cancellation ------------------------------------------------------------------------


def test_a_value_sent_to_a_cancelled_receiver_goes_to_the_next():
    def main():
        channel, got = Channel(), []
        first = spawn(channel.receive)
        second = spawn(receive_many, channel, 1, got)
        suspend()
        first.cancel()
        channel.send("value")
        second.result()
        with pytest.raises(Cancelled):
            first.result()
        return got

    assert run(main) == ["value"]


def test_a_receiver_cancelled_after_it_was_woken_still_has_its_value():
    def main():
        channel, got = Channel(), []

        def receive():
            got.append(channel.receive())
            suspend()
            got.append("went on")

        receiver = spawn(receive)
        suspend()
        channel.send("value")
        receiver.cancel()
        with pytest.raises(Cancelled):
            receiver.result()
        return got

    assert run(main) == ["value"]


def test_a_sender_that_was_cancelled_has_not_sent():
    def main():
        channel = Channel()
        sender = spawn(channel.send, "withdrawn")
        suspend()
        sender.cancel()
        none = channel.try_receive("nothing")
        with pytest.raises(Cancelled):
            sender.result()
        return none, channel.try_receive("nothing")

    assert run(main) == ("nothing", "nothing")


def test_a_sender_cancelled_after_its_value_was_taken_has_sent():
    def main():
        channel, log = Channel(), []

        def send():
            channel.send("value")
            log.append("sent")

        sender = spawn(send)
        suspend()
        log.append(channel.receive())
        sender.cancel()
        sender.result()
        return log

    assert run(main) == ["value", "sent"]


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_nothing_is_lost_when_half_of_all_are_cancelled(seeds, capacity):
    def main():
        channel, sent, received = Channel(capacity), [], []

        def send(value):
            channel.send(value)
            sent.append(value)

        def receive():
            received.append(channel.receive())

        senders = [spawn(send, value) for value in range(12)]
        receivers = [spawn(receive) for _ in range(12)]
        suspend()
        for coroutine in senders[::2] + receivers[::3]:
            coroutine.cancel()
            suspend()
        channel.close()
        for coroutine in senders + receivers:
            try:
                coroutine.result()
            except (Cancelled, ChannelClosed):
                pass
        while (value := drain(channel)) is not None:
            received.append(value)
        assert sorted(received) == sorted(sent)

    for _schedule in seeds:
        run(main)


def drain(channel):
    try:
        return channel.try_receive()
    except ChannelClosed:
        return None


# -- misuse and reports ------------------------------------------------------------------


def test_a_capacity_below_zero_is_refused():
    with pytest.raises(ValueError, match="0 or more, not -1"):
        Channel(-1)


def test_waiting_outside_a_run_is_refused():
    with pytest.raises(UsageError, match=r"Channel.receive\(\) works inside"):
        Channel().receive()
    with pytest.raises(UsageError, match=r"Channel.send\(\) works inside"):
        Channel().send(1)


def test_use_from_another_run_while_somebody_waits_is_refused():
    import threading

    def main():
        channel, errors = Channel(), []
        waiting = spawn(channel.receive)
        suspend()

        def elsewhere():
            try:
                channel.try_send("lost")
            except UsageError as error:
                errors.append(str(error))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        channel.send("safe")
        return waiting.result(), errors

    result, errors = run(main)

    assert result == "safe"
    assert "use trueasync.ThreadChannel" in errors[0]


def test_a_deadlock_report_names_the_channel_and_what_it_misses():
    def main():
        spawn(Channel().receive)
        spawn(Channel(1).receive)
        Channel().send("value")

    with pytest.raises(DeadlockError) as caught:
        run(main)

    assert "for a value from <Channel 0/0, 1 receiving, 0 sending>" in str(caught.value)
    assert "for somebody to take a value from <Channel 0/0, 0 rec" in str(caught.value)


def test_a_channel_lets_go_of_what_it_has_given():
    class Value:
        pass

    def main():
        channel = Channel(3)
        value = Value()
        gone = weakref.ref(value)
        channel.send(value)
        del value
        channel.receive()
        return gone() is None

    assert run(main)


def test_a_channel_that_holds_itself_is_collected():
    channel = Channel(1)
    channel.try_send(channel)
    gone = weakref.ref(channel)
    del channel

    gc.collect()

    assert gone() is None


def test_a_channel_is_written_with_the_type_of_its_values():
    assert str(Channel[int]) == "trueasync.sync.channel.Channel[int]"

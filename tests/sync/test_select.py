"""select: one case happens, the others have no effect."""

import collections

import pytest

import trueasync
from trueasync import Cancelled, Channel, ChannelClosed, UsageError, select, sleep, spawn, suspend
from trueasync.testing import run


def test_the_case_that_can_happen_happens():
    def main():
        one, two = Channel(1), Channel(1)
        two.send("two")
        return select(one, two)

    assert run(main) == (1, "two")


def test_it_waits_until_a_case_can_happen():
    def main():
        one, two = Channel(), Channel()
        chosen = spawn(select, one, two)
        suspend()
        two.send("two")
        return chosen.result(), one.try_send("nobody is left"), repr(one)

    assert run(main) == ((1, "two"), False, "<Channel 0/0, 0 receiving, 0 sending>")


def test_a_send_is_a_case():
    def main():
        full, free = Channel(), Channel(1)
        return select(full.sending("a"), free.sending("b")), full.buffered, free.receive()

    assert run(main) == ((1, None), 0, "b")


def test_a_send_that_lost_has_not_sent():
    def main():
        one, two = Channel(), Channel()
        chosen = spawn(select, one.sending("a"), two.sending("b"))
        suspend()
        got = two.receive()
        return got, chosen.result(), one.try_receive("nothing")

    assert run(main) == ("b", (1, None), "nothing")


def test_what_costs_no_wait_costs_no_switch():
    def main():
        channels = [Channel(1) for _ in range(8)]
        channels[5].send("five")
        before = trueasync.stats()["switches"]
        chosen = select(*channels)
        return chosen, trueasync.stats()["switches"] - before

    assert run(main) == ((5, "five"), 0)


def test_a_coroutine_is_a_case():
    def main():
        def work():
            sleep(1)
            return "done"

        return select(Channel(), spawn(work))

    assert run(main) == (1, "done")


def test_a_coroutine_that_failed_raises_its_error():
    def main():
        def fail():
            raise OSError("failed")

        with pytest.raises(OSError, match="failed"):
            select(Channel(), spawn(fail))

    run(main)


def test_all_that_is_ready_gets_its_share():
    def main():
        channels = [Channel(1000) for _ in range(4)]
        for channel in channels:
            for value in range(1000):
                channel.send(value)
        return collections.Counter(select(*channels)[0] for _ in range(1000))

    counts = run(main)

    assert len(counts) == 4
    assert min(counts.values()) > 200


def test_the_same_schedule_draws_the_same_cases():
    def main():
        channels = [Channel(50) for _ in range(4)]
        for channel in channels:
            for value in range(50):
                channel.send(value)
        return [select(*channels)[0] for _ in range(50)]

    assert run(main) == run(main)


def test_nobody_receives_from_himself():
    def main():
        channel = Channel()
        alone = spawn(select, channel, channel.sending("own"))
        suspend()
        state = alone.state
        channel.send("from outside")
        return state, alone.result()

    assert run(main) == ("waiting", (0, "from outside"))


def test_two_that_may_both_send_and_receive_meet(seeds):
    def main():
        channel = Channel()
        pair = [spawn(select, channel, channel.sending(number)) for number in range(2)]
        return sorted(index for index, _ in (coroutine.result() for coroutine in pair))

    for schedule in seeds:
        assert run(main) == [0, 1], schedule


def test_a_timeout_leaves_every_case_alone(run):
    def main():
        one, two = Channel(), Channel()
        with pytest.raises(TimeoutError, match="none of 2 cases"):
            select(one, two.sending("value"), timeout=0.001)
        return one.try_send("value"), two.try_receive("nothing")

    assert run(main) == (False, "nothing")


def test_a_timeout_of_zero_only_looks():
    def main():
        one, two = Channel(), Channel()
        before = trueasync.stats()["switches"]
        with pytest.raises(TimeoutError):
            select(one, two.sending("value"), timeout=0)
        two_receives = spawn(two.receive)
        switches = trueasync.stats()["switches"] - before
        suspend()
        return switches, select(one, two.sending("value"), timeout=0), two_receives.result()

    assert run(main) == (0, (1, None), "value")


def test_a_closed_channel_is_named_by_the_error():
    def main():
        one, two = Channel(), Channel()
        chosen = spawn(select, one, two)
        suspend()
        two.close("over")
        with pytest.raises(ChannelClosed) as caught:
            chosen.result()
        with pytest.raises(ChannelClosed) as again:
            select(one, two.sending(1))
        return caught.value.channel is two, again.value.channel is two

    assert run(main) == (True, True)


def test_a_select_that_was_cancelled_takes_nothing():
    def main():
        one, two = Channel(), Channel()
        chosen = spawn(select, one, two)
        suspend()
        chosen.cancel()
        sent = one.try_send(1), two.try_send(2)
        with pytest.raises(Cancelled):
            chosen.result()
        return sent

    assert run(main) == (False, False)


def test_a_channel_given_twice_is_one():
    def main():
        channel = Channel()
        chosen = spawn(select, channel, channel)
        suspend()
        channel.send("once")
        return chosen.result(), repr(channel)

    assert run(main) == ((0, "once"), "<Channel 0/0, 0 receiving, 0 sending>")


def test_selects_on_both_sides_lose_and_double_nothing(seeds):
    def main():
        channels = [Channel(capacity) for capacity in (0, 0, 1, 2)]
        received = []

        def send(number):
            for value in range(6):
                select(*[channel.sending((number, value)) for channel in channels])

        def receive():
            received.extend(select(*channels)[1] for _ in range(6))

        everyone = [spawn(send, number) for number in range(3)]
        everyone += [spawn(receive) for _ in range(3)]
        for coroutine in everyone:
            coroutine.result()
        assert sorted(received) == [(number, value) for number in range(3) for value in range(6)]

    for _schedule in seeds:
        run(main)


def test_select_needs_a_case():
    def main():
        with pytest.raises(ValueError, match="needs a case"):
            select()

    run(main)


def test_what_cannot_be_waited_for_is_refused():
    def main():
        channel = Channel()
        with pytest.raises(TypeError, match="nothing one can wait for"):
            select(channel, 42)
        with pytest.raises(TypeError, match=r"spawn\(function"):
            select(channel, print)
        return repr(channel)

    assert run(main) == "<Channel 0/0, 0 receiving, 0 sending>"


def test_outside_a_run_there_is_nothing_to_select():
    with pytest.raises(UsageError, match="works inside"):
        select(Channel())

"""trueasync.signal: a loop, a wait or a select gets each signal once, and loses none."""

import gc
import os
import signal
import threading

import pytest

import trueasync
from trueasync import Cancelled, ChannelClosed, DeadlockError, UsageError
from trueasync.runtime import run_on
from trueasync.testing import VirtualReactor
from trueasync.testing import run as run_virtual

HUP, USR1, USR2 = signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2


def send(number):
    os.kill(os.getpid(), number)


def on_a_script(main):
    """Run `main(happen)` in virtual time; `happen(number)` lets a signal arrive."""
    world = VirtualReactor()
    return run_on(world, main, (lambda number: world.happen("signal", number),))


def take(signals, count):
    return [next(signals) for _ in range(count)]


def test_a_loop_gets_the_signals_one_after_the_other():
    def main():
        with trueasync.signal(HUP, USR1) as signals:
            heard = []
            for number in (HUP, USR1, HUP):
                send(number)
                heard.append(next(signals))
            return heard

    assert trueasync.run(main) == [HUP, USR1, HUP]


def test_what_arrives_between_two_steps_is_not_lost():
    def main(happen):
        with trueasync.signal(HUP, USR1, USR2) as signals:
            for number in (USR2, HUP, USR1):
                happen(number)
            return take(signals, 3)

    assert on_a_script(main) == [USR2, HUP, USR1]


def test_of_one_number_that_nobody_took_one_is_kept():
    def main(happen):
        with trueasync.signal(HUP, USR1) as signals:
            for number in (HUP, USR1, HUP, HUP):
                happen(number)
            heard = take(signals, 2)
            happen(HUP)
            return heard, next(signals)

    assert on_a_script(main) == ([HUP, USR1], HUP)


def test_they_are_the_numbers_of_the_signal_module():
    def main(happen):
        with trueasync.signal(HUP, signal.SIGRTMIN + 2) as signals:
            happen(HUP)
            happen(signal.SIGRTMIN + 2)
            return [repr(number) for number in take(signals, 2)]

    assert on_a_script(main) == [repr(signal.SIGHUP), "36"]


def test_a_step_waits_and_others_go_on(run):
    def main():
        with trueasync.signal(USR1) as signals:
            waiter = trueasync.spawn(next, signals)
            trueasync.sleep(0.001)
            waiting = waiter.state, waiter.waits_for
            waiter.cancel()
            return waiting

    assert run(main) == ("waiting", ["the signal SIGUSR1"])


def test_each_is_taken_by_one_in_the_order_of_waiting(seeds):
    def main(happen):
        with trueasync.signal(HUP) as signals:
            takers = [trueasync.spawn(next, signals) for _ in range(3)]
            trueasync.sleep(1)
            happen(HUP)
            trueasync.sleep(1)
            done = sum(taker.done() for taker in takers)
            happen(HUP)
            trueasync.sleep(1)
            happen(HUP)
            return done, [taker.result() for taker in takers]

    for _ in seeds:
        assert on_a_script(main) == (1, [HUP] * 3)


def test_one_that_is_cancelled_as_it_arrives_leaves_it_to_the_next(seeds):
    def main(happen):
        with trueasync.signal(HUP) as signals:
            leaving, staying = (trueasync.spawn(next, signals) for _ in range(2))
            trueasync.sleep(1)
            leaving.cancel()
            happen(HUP)
            return staying.result()

    def taken_first(happen):
        with trueasync.signal(HUP) as signals:
            taker = trueasync.spawn(next, signals)
            trueasync.sleep(1)
            happen(HUP)  # it is the taker's now, whatever comes after
            taker.cancel()
            return taker.result()

    for _ in seeds:
        assert on_a_script(main) == HUP
        assert on_a_script(taken_first) == HUP


def test_select_takes_one_or_leaves_it_where_it_is(seeds):
    def main(happen):
        with trueasync.signal(HUP) as hups, trueasync.signal(USR1) as others:
            happen(HUP)
            happen(USR1)
            place, number = trueasync.select(hups, others)
            rest = trueasync.select(others, hups, timeout=1)[1]
            with pytest.raises(TimeoutError):
                trueasync.select(hups, others, timeout=1)
            return number is (HUP, USR1)[place], {number, rest}

    for _ in seeds:
        assert on_a_script(main) == (True, {HUP, USR1})


def test_select_waits_for_it_beside_a_channel():
    def main():
        channel = trueasync.Channel()
        with trueasync.signal(USR1) as signals:
            chooser = trueasync.spawn(trueasync.select, channel, signals)
            trueasync.suspend()
            send(USR1)
            return chooser.result()

    assert trueasync.run(main) == (1, USR1)


def test_one_may_be_waited_for_in_passing():
    def main():
        waiter = trueasync.spawn(lambda: trueasync.select(trueasync.signal(USR1)))
        trueasync.suspend()
        send(USR1)
        heard = waiter.result()
        trueasync.sleep(0.001)  # what is dropped is let go of at the next poll
        return heard, signal.getsignal(USR1)

    assert trueasync.run(main) == ((0, USR1), signal.SIG_DFL)


# -- the end -------------------------------------------------------------------------------


def test_leaving_the_block_gives_the_signal_back():
    def main():
        with trueasync.signal(USR1):
            during = signal.getsignal(USR1)
        return during is signal.SIG_DFL, signal.getsignal(USR1) is signal.SIG_DFL

    assert trueasync.run(main) == (False, True)


def test_closing_ends_the_loops_that_wait(run):
    def main():
        signals = trueasync.signal(USR1)
        loops = [trueasync.spawn(list, signals) for _ in range(2)]
        trueasync.suspend()
        signals.close()
        signals.close()
        return [loop.result() for loop in loops], list(signals), signals.closed

    assert run(main) == ([[], []], [], True)


def test_closing_wakes_a_select_with_an_error_that_names_it(run):
    def main():
        signals = trueasync.signal(USR1)
        chooser = trueasync.spawn(trueasync.select, signals)
        trueasync.suspend()
        signals.close()
        with pytest.raises(ChannelClosed, match="SIGUSR1") as raised:
            chooser.result()
        with pytest.raises(ChannelClosed):
            trueasync.select(signals)
        return raised.value.channel is signals

    assert run(main)


def test_what_has_arrived_can_be_taken_after_the_close():
    def main(happen):
        signals = trueasync.signal(HUP)
        happen(HUP)
        signals.close()
        happen(HUP)
        return list(signals)

    assert on_a_script(main) == [HUP]


def test_listening_alone_is_no_reason_to_go_on(run):
    def main():
        with trueasync.signal(USR1):
            trueasync.Channel().receive()

    with pytest.raises(DeadlockError):
        run(main)


def test_waiting_for_one_is_a_reason_to_go_on_and_then_it_is_not():
    def main(happen):
        with trueasync.signal(HUP) as signals:
            waiter = trueasync.spawn(next, signals)
            trueasync.suspend()
            counted = trueasync.stats()["active_events"]
            happen(HUP)
            after = trueasync.stats()["active_events"]
            waiter.result()
            other = trueasync.spawn(next, signals)
            trueasync.suspend()
            other.cancel()
            trueasync.suspend()
            return counted, after, trueasync.stats()["active_events"]

    assert on_a_script(main) == (1, 0, 0)


def test_the_end_of_the_run_gives_everything_back():
    kept = []

    def main():
        kept.append(trueasync.signal(USR1))

    trueasync.run(main)

    assert signal.getsignal(USR1) is signal.SIG_DFL
    with pytest.raises(UsageError, match="only in the run that made it"):
        next(kept[0])
    kept.pop().close()


def test_one_that_is_dropped_is_collected_and_gives_the_signal_back():
    def main():
        for _ in range(100):
            trueasync.signal(USR1)
        trueasync.sleep(0.001)
        return signal.getsignal(USR1)

    assert trueasync.run(main) is signal.SIG_DFL
    gc.collect()


def test_one_dropped_by_another_thread_gives_the_signal_back():
    def main():
        held = [trueasync.signal(USR1)]
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
        trueasync.sleep(0.001)
        return signal.getsignal(USR1)

    assert trueasync.run(main) is signal.SIG_DFL


def test_ctrl_c_may_be_waited_for():
    def main():
        with trueasync.signal(signal.SIGINT, signal.SIGTERM) as signals:
            send(signal.SIGINT)
            return next(signals)

    assert trueasync.run(main) == signal.SIGINT


# -- what is refused -----------------------------------------------------------------------


def test_no_number_at_all_is_refused():
    with pytest.raises(ValueError, match="needs the number"):
        trueasync.signal()


def test_a_wrong_number_leaves_nothing_of_the_right_ones():
    def main():
        with pytest.raises(ValueError, match="SIGKILL"):
            trueasync.signal(USR1, signal.SIGKILL)
        return signal.getsignal(USR1)

    assert trueasync.run(main) is signal.SIG_DFL


def test_outside_a_run_it_is_refused():
    with pytest.raises(UsageError, match="run"):
        trueasync.signal(USR1)


def test_the_run_of_another_thread_is_told_to_use_the_main_one():
    errors = []

    def main():
        try:
            trueasync.signal(USR1)
        except UsageError as error:
            errors.append(str(error))

    thread = threading.Thread(target=trueasync.run, args=[main])
    thread.start()
    thread.join()

    assert "in the main thread only" in errors[0]


def test_cancelling_the_loop_leaves_the_block_in_order():
    def main():
        def loop():
            with trueasync.signal(USR1) as signals:
                next(signals)

        coroutine = trueasync.spawn(loop)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return signal.getsignal(USR1)

    assert trueasync.run(main) is signal.SIG_DFL


def test_it_says_what_it_is():
    def main():
        signals = trueasync.signal(USR1, HUP)
        said = [repr(signals)]
        signals.close()
        return [*said, repr(signals)]

    assert run_virtual(main) == [
        "<Signals SIGUSR1, SIGHUP>",
        "<Signals SIGUSR1, SIGHUP, closed>",
    ]

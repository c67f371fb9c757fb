"""Polling: pure yielding does not starve the outside world, and does not poll at each switch."""

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor, run


def reactor():
    return running_scheduler("test").reactor


def ring(members, rounds):
    def member():
        for _ in range(rounds):
            trueasync.suspend()

    for coroutine in [trueasync.spawn(member) for _ in range(members)]:
        coroutine.result()


def test_under_pure_yielding_the_reactor_is_polled():
    def main():
        ring(10, 1000)
        return len(reactor().polls)

    assert run(main) >= 10_000 // 128


def test_under_pure_yielding_the_reactor_is_not_polled_at_every_switch():
    def main():
        before = trueasync.stats()
        ring(10, 1000)
        after = trueasync.stats()
        return after["polls"] - before["polls"], after["switches"] - before["switches"]

    polls, switches = run(main)
    assert polls <= switches / 50


def test_polls_between_switches_do_not_wait():
    def main():
        ring(10, 100)
        return reactor().polls

    assert not any(run(main))


def test_one_coroutine_that_yields_alone_lets_the_reactor_report():
    def main():
        trueasync.suspend()
        fired = reactor().timer(0)
        fired.start()
        turns = 0
        while not fired.fired:
            trueasync.suspend()
            turns += 1
        fired.stop()
        return turns

    assert run(main) <= 128


def test_a_sleeper_is_woken_although_the_others_only_yield():
    def main():
        ended = Event()

        def yields():
            while not ended.fired:
                trueasync.suspend()
                reactor().time += 0.0001

        for _ in range(3):
            trueasync.spawn(yields)
        trueasync.sleep(0.01)
        late = reactor().time - 0.01
        ended.fire()
        return late

    # A poll is due after a millisecond, and the clock is looked at every fourth tick.
    assert 0 <= run(main) <= 0.001 + 4 * 0.0001 + 1e-9


def test_spawning_and_ending_counts_as_yielding():
    def main():
        for _ in range(100):
            for _ in range(10):
                trueasync.spawn(int)
            trueasync.suspend()
        return len(reactor().polls)

    assert 1000 // 128 <= run(main) <= 1100 // 50


def test_everyone_who_was_ready_has_a_turn_before_the_next_poll():
    # Whoever is woken by a poll stands behind them: looking earlier would be in vain.
    def main():
        ring(1000, 20)
        return len(reactor().polls)

    assert 15 <= run(main) <= 25


def test_while_the_reactor_waits_the_clock_jumps_to_the_next_timer_and_no_further():
    def main():
        trueasync.spawn(trueasync.sleep, 5)
        trueasync.sleep(2)
        return reactor().time

    assert run(main) == 2


def test_a_wait_for_a_timer_is_one_poll():
    def main():
        before = len(reactor().polls)
        trueasync.sleep(5)
        return reactor().polls[before:]

    assert run(main) == [True]


def test_the_reactor_is_asked_to_wait_only_when_something_is_armed():
    class Counting(VirtualReactor):
        def poll(self, wait):
            assert self.active > 0 or not wait
            super().poll(wait)

    def main():
        trueasync.sleep(1)
        ring(3, 100)
        trueasync.spawn(trueasync.sleep, 2).result(timeout=1.5)

    try:
        run_on(Counting(), main)
    except TimeoutError:
        pass


def test_a_reactor_is_closed_when_the_run_is_over():
    class Closing(VirtualReactor):
        closed = 0

        def close(self):
            self.closed += 1

    good, bad = Closing(), Closing()
    run_on(good, int)
    try:
        run_on(bad, lambda: 1 / 0)
    except ZeroDivisionError:
        pass

    assert (good.closed, bad.closed) == (1, 1)


def test_an_error_of_the_reactor_ends_the_run():
    class Broken(VirtualReactor):
        def poll(self, wait):
            if self.now() < 5:
                super().poll(wait)
            if self.now() == 5:
                self.time = 6.0
                raise OSError("the reactor is broken")

    def main():
        trueasync.sleep(5)
        trueasync.sleep(5)

    with pytest.raises(OSError, match="the reactor is broken"):
        run_on(Broken(), main)


def test_a_reactor_that_is_broken_for_good_does_not_hang_the_run(python):
    ended = python(
        "import trueasync\n"
        "from trueasync.runtime import run_on\n"
        "from trueasync.testing import VirtualReactor\n"
        "class Broken(VirtualReactor):\n"
        "    def poll(self, wait):\n"
        "        if self.now() >= 5:\n"
        "            raise OSError('the reactor is broken')\n"
        "        super().poll(wait)\n"
        "def main():\n"
        "    try:\n"
        "        trueasync.sleep(5)\n"
        "        trueasync.sleep(5)\n"
        "    finally:\n"
        "        trueasync.sleep(1)\n"
        "try:\n"
        "    run_on(Broken(), main)\n"
        "except BaseException as error:\n"
        "    print(repr(error)[:1000])\n",
        timeout=10,
    )

    assert "the reactor is broken" in ended.stdout, ended.stderr

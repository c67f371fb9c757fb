"""The tick counts its switches: none where none is needed, one where one is enough."""

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run


def counted(function):
    """How much `function()` added to each counter of this run."""
    before = trueasync.stats()
    function()
    after = trueasync.stats()
    return {key: after[key] - before[key] for key in before}


def wait(event):
    running_scheduler("test").wait(event)


def test_a_wait_for_what_has_happened_makes_no_switch():
    def main():
        event = Event()
        event.fire()
        return counted(lambda: wait(event))

    counts = run(main)
    assert counts["switches"] == counts["polls"] == counts["home_visits"] == 0


def test_the_result_of_a_finished_coroutine_makes_no_switch():
    def main():
        coroutine = trueasync.spawn(lambda: None)
        trueasync.suspend()
        return counted(coroutine.result)

    counts = run(main)
    assert counts["switches"] == counts["polls"] == counts["home_visits"] == 0


def test_an_event_that_fires_as_it_is_started_makes_no_switch():
    class AtOnce(Event):
        def arm(self):
            self.fire()

    def main():
        return counted(lambda: wait(AtOnce()))

    assert run(main)["switches"] == 0


def test_suspending_where_nobody_else_may_run_makes_no_switch():
    def main():
        return counted(lambda: [trueasync.suspend() for _ in range(20)])

    counts = run(main)
    assert counts["switches"] == counts["home_visits"] == 0


def test_one_yield_between_two_coroutines_is_one_switch():
    def main():
        def other():
            while True:
                trueasync.suspend()

        coroutine = trueasync.spawn(other)
        trueasync.suspend()
        counts = counted(lambda: [trueasync.suspend() for _ in range(1000)])
        coroutine.cancel()
        return counts

    counts = run(main)
    assert counts["switches"] == 2000  # mine and the other's: one each
    assert counts["home_visits"] == 0
    assert counts["contexts_created"] == 0


def test_a_ring_of_coroutines_makes_one_switch_a_yield_and_never_goes_home():
    def main():
        def member():
            while True:
                trueasync.suspend()

        members = [trueasync.spawn(member) for _ in range(50)]
        trueasync.suspend()
        counts = counted(lambda: [trueasync.suspend() for _ in range(100)])
        for coroutine in members:
            coroutine.cancel()
        return counts

    counts = run(main)
    assert counts["switches"] == 51 * 100
    assert counts["home_visits"] == 0


def test_waking_another_and_waiting_for_its_answer_is_two_switches():
    def main():
        questions = [Event() for _ in range(100)]
        answers = [Event() for _ in range(100)]

        def server():
            for question, answer in zip(questions, answers, strict=True):
                wait(question)
                answer.fire()

        def ask():
            for question, answer in zip(questions, answers, strict=True):
                question.fire()
                wait(answer)

        trueasync.spawn(server)
        trueasync.suspend()
        return counted(ask)

    counts = run(main)
    assert counts["switches"] == 200
    assert counts["home_visits"] == 0


def test_a_finished_coroutine_hands_its_context_to_the_next_with_no_switch():
    def main():
        def batch():
            for _ in range(1000):
                trueasync.spawn(int)
            trueasync.suspend()

        trueasync.spawn(int)
        trueasync.suspend()
        return counted(batch)

    counts = run(main)
    # To the first of them, and from the last of them back.
    assert counts["switches"] == 2
    assert counts["contexts_created"] == counts["home_visits"] == 0


def test_spawn_and_join_needs_one_context_in_all():
    def main():
        trueasync.spawn(int).result()
        return counted(lambda: [trueasync.spawn(int).result() for _ in range(1000)])

    counts = run(main)
    assert counts["contexts_created"] == counts["home_visits"] == 0
    assert counts["switches"] == 2000


def test_a_fresh_context_is_started_at_home():
    def main():
        trueasync.spawn(trueasync.sleep, 1)
        return counted(trueasync.suspend)

    counts = run(main)
    assert counts["contexts_created"] == 1
    assert counts["home_visits"] == 1
    assert counts["switches"] == 3  # home, the new context, back here


def test_an_idle_context_is_entered_directly():
    def main():
        trueasync.spawn(int)
        trueasync.suspend()
        trueasync.spawn(trueasync.sleep, 1)
        return counted(trueasync.suspend)

    counts = run(main)
    assert counts["contexts_created"] == counts["home_visits"] == 0
    assert counts["switches"] == 2


def test_when_nobody_may_run_home_waits_in_the_reactor_once():
    def main():
        return counted(lambda: trueasync.sleep(1))

    counts = run(main)
    assert counts["polls"] == 1
    assert counts["home_visits"] == 1
    assert counts["switches"] == 2


@pytest.mark.parametrize("many", [1, 10, 16])
def test_those_woken_by_one_poll_are_resumed_without_going_home_in_between(many):
    def main():
        for _ in range(many):
            trueasync.spawn(trueasync.sleep, 1)
        trueasync.suspend()
        return counted(lambda: trueasync.sleep(1))

    counts = run(main)
    assert counts["home_visits"] == 1
    assert counts["switches"] == 1 + many + 1


def test_switches_are_counted_the_same_under_every_schedule(seeds):
    def main():
        def member():
            for _ in range(5):
                trueasync.suspend()

        members = [trueasync.spawn(member) for _ in range(6)]
        for coroutine in members:
            coroutine.result()
        return trueasync.stats()

    for _ in seeds:
        stats = run(main)
        # Never more than one a yield and an end, plus the first starts.
        assert stats["switches"] <= 6 * 5 + 6 + 3 * 7 + 10
        assert stats["contexts_created"] <= 7

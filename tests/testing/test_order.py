"""Seeded schedules: scheduler/order.py, as tests of programs use it."""

import pytest

import trueasync
from trueasync import testing
from trueasync.scheduler.order import PctOrder, RandomOrder, parse_order

KINDS = ("random", "pct")


class Numbered:
    """As much of a coroutine as an order looks at."""

    def __init__(self, number):
        self.number = number


def crowd(count):
    return [Numbered(number) for number in range(count)]


def interleaving(monkeypatch, schedule):
    """In which order five coroutines, of four turns each, got their turns."""
    turns = []

    def work(name):
        for _ in range(4):
            turns.append(name)
            trueasync.suspend()

    def main():
        for name in "abcde":
            trueasync.spawn(work, name)

    monkeypatch.setenv("TRUEASYNC_SCHED", schedule)
    testing.run(main)
    return "".join(turns)


# -- its name --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "fifo", "fifo:1"])
def test_first_come_first_served_needs_no_order(text):
    assert parse_order(text) is None


@pytest.mark.parametrize("text", ["random:0", "random:-3", "pct:1234567890123"])
def test_an_order_is_known_by_the_name_it_was_asked_for(text):
    assert parse_order(text).name == text


@pytest.mark.parametrize("kind", ["random", "pct"])
@pytest.mark.parametrize("seed", ["", ":", ":x", ":1.5", ":1:2", ":--1", ": 1", ":-", ":\u00b2"])
def test_a_seed_that_is_no_number_is_refused_with_what_would_be_one(kind, seed):
    with pytest.raises(ValueError, match="use random:SEED, pct:SEED or fifo"):
        parse_order(kind + seed)


@pytest.mark.parametrize("text", ["lifo:1", "Random:1", ":1", " fifo", "1"])
def test_what_names_no_order_is_refused_with_what_would(text):
    with pytest.raises(ValueError, match="use random:SEED, pct:SEED or fifo"):
        parse_order(text)


def test_a_run_with_a_wrong_name_does_not_begin(monkeypatch):
    began = []
    monkeypatch.setenv("TRUEASYNC_SCHED", "rnd:1")

    with pytest.raises(ValueError, match="TRUEASYNC_SCHED='rnd:1' is no schedule"):
        testing.run(began.append, 1)

    assert began == []


# -- its choices -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_choice_is_always_one_of_those_who_are_ready(kind):
    order = parse_order(f"{kind}:1")

    for count in range(2, 200):
        assert 0 <= order.choose(crowd(count)) < count


def test_random_order_chooses_everyone_sooner_or_later():
    order = RandomOrder(1)

    assert {order.choose(crowd(5)) for _ in range(200)} == set(range(5))


def test_pct_keeps_to_its_priorities_but_for_a_few_demotions():
    order = PctOrder(1, depth=3)

    chosen = [order.choose(crowd(5)) for _ in range(50)]

    assert len(set(chosen)) <= 3


def test_pct_demotes_one_that_is_chosen_again_and_again():
    order = PctOrder(1, depth=1)

    chosen = [order.choose(crowd(3)) for _ in range(10 * PctOrder.MOST_IN_A_ROW)]

    assert set(chosen) == {0, 1, 2}


def test_pct_demotes_several_that_only_yield_to_each_other():
    order = PctOrder(1, depth=1)
    hungry = Numbered(99)
    order.priorities[99] = -0.5  # behind all others

    chosen = [order.choose([*crowd(2), hungry]) for _ in range(10 * PctOrder.MOST_IN_A_ROW)]

    assert 2 in chosen


# -- the schedule of a run ----------------------------------------------------------------------


def test_without_an_order_turns_go_round(monkeypatch):
    assert interleaving(monkeypatch, "fifo") == "abcde" * 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_is_the_same_schedule(monkeypatch, kind):
    for seed in range(20):
        first = interleaving(monkeypatch, f"{kind}:{seed}")

        assert interleaving(monkeypatch, f"{kind}:{seed}") == first


@pytest.mark.parametrize("kind", KINDS)
def test_other_seeds_are_other_schedules(monkeypatch, kind):
    seen = {interleaving(monkeypatch, f"{kind}:{seed}") for seed in range(50)}

    assert len(seen) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_in_every_schedule_everyone_gets_all_turns(monkeypatch, kind):
    for seed in range(100):
        turns = interleaving(monkeypatch, f"{kind}:{seed}")

        assert sorted(turns) == sorted("abcde" * 4), seed


def test_a_coroutine_that_only_yields_cannot_keep_the_others_from_running(seeds):
    for _ in seeds:
        finished = []

        def main(finished=finished):
            def spin():
                while not finished:
                    trueasync.suspend()

            trueasync.spawn(spin)
            trueasync.spawn(finished.append, 1)

        testing.run(main)

        assert finished == [1]


def test_several_coroutines_that_only_yield_cannot_either(seeds):
    for _ in seeds:
        finished = []

        def main(finished=finished):
            def spin():
                while not finished:
                    trueasync.suspend()

            for _ in range(3):
                trueasync.spawn(spin)
            trueasync.spawn(finished.append, 1)

        testing.run(main)

        assert finished == [1]


# -- what is said when it fails -------------------------------------------------------------------

FAILING = """
import trueasync.testing

def main():
    raise LookupError("found by chance")

trueasync.testing.run(main)
"""


@pytest.mark.parametrize("schedule", ["random:7", "pct:8"])
def test_a_failing_run_prints_the_seed_that_brings_it_back(python, schedule):
    ran = python(FAILING, TRUEASYNC_SCHED=schedule)

    assert ran.returncode == 1
    assert f"this failed with TRUEASYNC_SCHED={schedule}" in ran.stderr
    assert "LookupError: found by chance" in ran.stderr


def test_a_run_in_the_usual_order_prints_no_seed(python):
    ran = python(FAILING, TRUEASYNC_SCHED="")

    assert ran.returncode == 1
    assert "TRUEASYNC_SCHED" not in ran.stderr


def test_a_run_that_succeeds_prints_nothing(python):
    ran = python("import trueasync; trueasync.run(trueasync.suspend)", TRUEASYNC_SCHED="random:7")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")

"""A report as text: alike is one line, long is cut, and nothing is hidden without saying so."""

import pytest

import trueasync
from trueasync.scheduler.report import CoroutineReport, Frame, RunReport
from trueasync.scheduler.words import common, text_of_run
from trueasync.testing import run as run_virtual

STACK = (Frame("app.py", 20, "worker"), Frame("app.py", 12, "read"))


def waiting(name, *events, stack=STACK, spawned_at="app.py:3", state="waiting"):
    return CoroutineReport(name, 0, state, spawned_at, stack, events)


def lines_of(*coroutines, cycles=(), phase="running"):
    return text_of_run(RunReport("thread T", phase, coroutines, cycles)).splitlines()


def test_one_coroutine_is_told_in_full():
    assert lines_of(waiting("worker", "a timer of 3 s", "a value")) == [
        "run in thread T: 1 waiting",
        "  worker: spawned at app.py:3",
        "    waits at app.py:12 in read",
        "      called at app.py:20 in worker",
        "    for a timer of 3 s",
        "    for a value",
    ]


def test_those_that_are_alike_are_one_line_with_their_number():
    alike = [waiting(f"worker-{n}", f"a timer of {n}.5 s") for n in range(1000)]

    assert lines_of(*alike)[1:] == [
        "  1,000 x worker-…: spawned at app.py:3",
        "    waits at app.py:12 in read",
        "      called at app.py:20 in worker",
        "    for a timer of … s",
    ]


@pytest.mark.parametrize(
    "other",
    [
        waiting("worker", "a timer of 3 s", spawned_at="app.py:4"),
        waiting("worker", "a timer of 3 s", stack=(*STACK,)[:1]),
        waiting("worker", "descriptor 3 to be readable"),
        waiting("worker", "a timer of 3 s", "a value"),
        waiting("worker", stack=STACK, state="ready"),
    ],
)
def test_those_that_differ_are_apart(other):
    lines = lines_of(waiting("worker", "a timer of 3 s"), other)

    assert sum(line.startswith("  worker:") for line in lines) == 2


def test_states_are_counted_and_the_phase_of_a_shutdown_is_told():
    title = lines_of(waiting("a", state="running"), waiting("b"), waiting("c"), phase="graceful")[0]

    assert title == ("run in thread T, in the graceful phase of its shutdown: 1 running, 2 waiting")


def test_one_that_has_not_begun_and_one_without_python_code_say_so():
    lines = lines_of(waiting("new", stack=(), state="new"), waiting("built-in", stack=()))

    assert lines[2] == "    not begun"
    assert lines[4] == "    waits at (no Python code)"


def test_a_deep_stack_is_cut_and_says_by_how_much():
    deep = tuple(Frame("app.py", n, "f") for n in range(100))

    lines = lines_of(waiting("deep", stack=deep))

    assert lines[2] == "    waits at app.py:99 in f"
    assert lines[-1] == "      ... and 80 more calls"


def test_many_different_ones_are_cut_and_say_how_many():
    lines = lines_of(*[waiting("w", spawned_at=f"app.py:{n}") for n in range(1000)])

    assert lines[-1] == "  ... and 800 more, in 800 groups"
    assert len(lines) < 700


def test_many_cycles_are_cut_and_say_how_many():
    one = waiting("a")

    lines = lines_of(cycles=[(one, one)] * 300)

    assert lines[-1] == "  ... and 100 more cycles"


def test_a_name_that_is_a_whole_repr_is_cut():
    (line,) = [line for line in lines_of(waiting("x" * 1000)) if "xxx" in line]

    assert len(line) < 150


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        (["a", "a"], "a"),
        (["a timer of 3 s", "a timer of 13 s"], "a timer of … s"),
        (["a timer of 0.5 s", "a timer of 0.25 s"], "a timer of … s"),
        (["w1", "w12", "w2"], "w…"),
        (["aa", "aaa"], "aa…"),
        (["b", "a"], "…"),
        (["", "a"], "…"),
    ],
)
def test_what_texts_have_in_common_keeps_numbers_whole(texts, what):
    assert common(texts) == what


def test_a_run_of_10_000_is_a_few_lines():
    def main():
        for n in range(10_000):
            trueasync.options(name=f"visitor {n}").spawn(trueasync.sleep, 1 + n)
        trueasync.suspend()
        return str(trueasync.report())

    lines = run_virtual(main).splitlines()

    assert "  10,000 x visitor …: spawned at " in "\n".join(lines)
    assert len(lines) < 12

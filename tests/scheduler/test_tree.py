"""Scopes in a report: who stands below whom, and those that are alike are one."""

import json

import trueasync
from trueasync.scheduler.report import CoroutineReport, RunReport, ScopeReport
from trueasync.scheduler.words import text_of_run
from trueasync.testing import run as run_virtual


def line_of(function, offset):
    return f"{__file__}:{function.__code__.co_firstlineno + offset}"


def coroutine(number, name, scope=None, spawned_at="app.py:1"):
    return CoroutineReport(name, number, "new", spawned_at, (), (), scope)


def lines_of(coroutines, scopes):
    text = text_of_run(RunReport("thread T", "running", tuple(coroutines), (), tuple(scopes)))
    return [line for line in text.splitlines()[1:] if "not begun" not in line]


def test_a_coroutine_is_shown_in_its_scope_and_a_scope_below_who_is_in_it(run):
    def main():
        with trueasync.scope(name="outer") as outer:
            trueasync.options(name="in outer").spawn(trueasync.sleep, 60)
            with trueasync.scope() as inner:
                trueasync.options(name="in inner").spawn(trueasync.sleep, 60)
                trueasync.suspend()
                (run,) = trueasync.report().runs
                inner.cancel()
            outer.cancel()
        return run

    run_report = run(main)
    placed = {one.name: one.scope for one in run_report.coroutines[1:]}
    outer, inner = (run_report.scopes[placed[name]] for name in ("in outer", "in inner"))
    assert run_report.coroutines[0].scope is None
    assert (outer.name, outer.owner, outer.made_at) == ("outer", 0, line_of(main, 1))
    assert (inner.name, inner.owner, inner.made_at) == ("", 0, line_of(main, 3))
    assert not outer.cancelled


def test_a_scope_that_no_with_statement_holds_stands_below_the_one_it_was_made_in(run):
    def main():
        with trueasync.scope(name="outer") as outer:
            held = trueasync.scope(name="held")
            held.spawn(trueasync.sleep, 60)
            trueasync.suspend()
            report = trueasync.report()
            outer.cancel()
        return report

    report = run(main)
    (told,) = json.loads(json.dumps(report.as_dict()))["runs"]
    held, outer = told["scopes"]
    assert (held["name"], held["owner"], held["parent"]) == ("held", None, 1)
    assert (outer["name"], outer["owner"], outer["parent"]) == ("outer", 0, None)
    assert "    scope outer at " in str(report)
    assert "      scope held at " in str(report)


def test_one_who_waits_for_his_scope_and_a_child_who_waits_for_him_are_a_cycle(run):
    def main():
        def parent():
            with trueasync.scope() as s:
                s.options(name="child").spawn(me.result)
                s.options(name="the other").spawn(trueasync.sleep, 60)

        me = trueasync.options(name="parent").spawn(parent)
        trueasync.sleep(0.001)
        (run,) = trueasync.report().runs
        me.cancel()
        return [[one.name for one in cycle] for cycle in run.cycles]

    assert run(main) == [["parent", "child"]]


# -- as text --------------------------------------------------------------------------------


def test_those_that_are_alike_with_all_below_them_are_one():
    coroutines, scopes = [], []
    for number in range(0, 300, 3):
        coroutines.append(coroutine(number, f"handler {number}"))
        coroutines.append(coroutine(number + 1, "reader", len(scopes), "app.py:2"))
        coroutines.append(coroutine(number + 2, "reader", len(scopes), "app.py:2"))
        scopes.append(ScopeReport("", "app.py:5", False, number, None))

    assert lines_of(coroutines, scopes) == [
        "  100 x handler …: spawned at app.py:1",
        "    100 x scope at app.py:5",
        "      200 x reader: spawned at app.py:2",
    ]


def test_one_that_has_something_else_below_it_is_apart():
    coroutines = [coroutine(0, "handler"), coroutine(1, "handler"), coroutine(2, "reader", 0)]

    assert lines_of(coroutines, [ScopeReport("", "app.py:5", False, 0, None)]) == [
        "  handler: spawned at app.py:1",
        "    scope at app.py:5",
        "      reader: spawned at app.py:1",
        "  handler: spawned at app.py:1",
    ]


def test_a_cancelled_scope_says_so():
    lines = lines_of([coroutine(0, "a", 0)], [ScopeReport("s", "app.py:5", True, None, None)])

    assert lines[0] == "  scope s at app.py:5, cancelled"


def test_a_tree_of_any_depth_is_written_and_its_margin_ends_somewhere():
    coroutines = [coroutine(0, "n0")]
    scopes = []
    for number in range(1, 60):
        scopes.append(ScopeReport("", "app.py:5", False, number - 1, None))
        coroutines.append(coroutine(number, f"n{number}", number - 1))

    lines = lines_of(coroutines, scopes)

    assert len(lines) == 119
    assert lines[-1] == " " * 24 + "n59: spawned at app.py:1"


def test_a_deep_tree_is_no_recursion():
    def nest(depth):
        with trueasync.scope() as s:
            if depth:
                s.spawn(nest, depth - 1)
            else:
                held.append(trueasync.report())

    held = []
    run_virtual(nest, 5000)

    assert len(held[0].coroutines) == 5001
    assert " more, in " in str(held[0])


def test_what_changed_while_it_was_looked_at_makes_no_endless_text():
    coroutines = [coroutine(0, "a", 0), coroutine(1, "b", 1)]
    scopes = [
        ScopeReport("", "app.py:5", False, 1, None),
        ScopeReport("", "app.py:6", False, 0, None),
    ]

    lines = lines_of(coroutines, scopes)

    assert sorted(line.strip() for line in lines) == [
        "a: spawned at app.py:1",
        "b: spawned at app.py:1",
        "scope at app.py:5",
        "scope at app.py:6",
    ]

"""A scope: who is in it, that leaving waits for all, and what happens when nobody holds it."""

import sys

import pytest

import trueasync
from trueasync import UsageError, scope, sleep, spawn
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


def now():
    return running_scheduler("test").reactor.now()


def test_leaving_waits_for_all(run):
    def main():
        done = []
        with scope() as s:
            for n in range(5):
                s.spawn(lambda n=n: (sleep(0.001 * (5 - n)), done.append(n)))
        return sorted(done), s.coroutines

    assert run(main) == ([0, 1, 2, 3, 4], [])


def test_leaving_an_empty_scope_does_not_suspend():
    def main():
        spawn(int)
        before = trueasync.stats()["switches"]
        with scope():
            pass
        return trueasync.stats()["switches"] - before

    assert run_virtual(main) == 0


def test_results_are_there_after_leaving():
    def main():
        with scope() as s:
            first, second = s.spawn(pow, 2, 10), s.spawn(int, "7", base=8)
        return first.result(), second.result()

    assert run_virtual(main) == (1024, 7)


def test_spawn_goes_into_the_innermost_scope():
    def main():
        with scope() as outer:
            spawn(sleep, 2)
            with scope() as inner:
                spawn(sleep, 1)
                counts = len(outer.coroutines), len(inner.coroutines)
            after_inner = now()
        return counts, after_inner, now()

    assert run_virtual(main) == ((1, 1), 1, 2)


def test_what_a_coroutine_of_a_scope_spawns_is_of_that_scope():
    def main():
        ended = []

        def grandchild():
            sleep(5)
            ended.append(now())

        with scope() as s:
            s.spawn(lambda: spawn(spawn, grandchild))
        return ended

    assert run_virtual(main) == [5]


def test_after_leaving_spawn_goes_where_it_went_before():
    def main():
        with scope() as outer:
            with scope():
                pass
            spawn(sleep, 1)
            return len(outer.coroutines)

    assert run_virtual(main) == 1


def test_outside_of_any_scope_there_is_none():
    def main():
        spawn(sleep, 1)
        before = trueasync.current_scope()
        with scope() as s:
            inside = trueasync.current_scope() == s
            in_child = s.spawn(lambda: trueasync.current_scope() == s)
        return before, inside, in_child.result(), trueasync.current_scope()

    assert run_virtual(main) == (None, True, True, None)


def test_a_scope_may_be_given_to_others_to_spawn_into():
    def main():
        ended = []

        def helper(s):
            s.spawn(lambda: (sleep(3), ended.append(now())))

        with scope() as s:
            with scope() as other:
                other.spawn(helper, s)
            still_running = len(s.coroutines)
        return still_running, ended

    assert run_virtual(main) == (1, [3])


def test_a_scope_may_be_filled_while_it_is_being_left():
    def main():
        ended = []

        def again(n):
            sleep(1)
            ended.append(n)
            if n:
                spawn(again, n - 1)

        with scope() as s:
            s.spawn(again, 3)
        return ended, now()

    assert run_virtual(main) == ([3, 2, 1, 0], 4)


def test_nothing_can_be_spawned_into_a_scope_that_was_left():
    def main():
        with scope(name="short") as s:
            pass
        with pytest.raises(UsageError, match=r"scope short at .* has ended"):
            s.spawn(int)

    run_virtual(main)


def test_a_scope_is_entered_once():
    def main():
        s = scope()
        with s, pytest.raises(UsageError, match="entered before"):
            s.__enter__()
        with pytest.raises(UsageError, match="entered before"):
            s.__enter__()

    run_virtual(main)


def test_a_scope_needs_a_run():
    with pytest.raises(UsageError, match=r"trueasync\.scope\(\) works inside trueasync.run"):
        scope()


def test_a_scope_of_another_run_is_refused(run):
    held = []

    def main():
        with scope() as s:
            held.append(s)

    run(main)

    def other():
        with pytest.raises(UsageError, match="outside the run it belongs to"):
            held[0].spawn(int)
        with pytest.raises(UsageError, match="outside the run it belongs to"):
            held[0].cancel()

    run(other)
    held.clear()


# -- waiting for oneself -----------------------------------------------------------------------


def test_who_belongs_to_a_scope_cannot_wait_for_it():
    def main():
        with scope() as s:
            child = s.spawn(s.wait)
            with pytest.raises(UsageError, match="would wait for itself"):
                child.result()
        return "never"

    with pytest.raises(ExceptionGroup) as raised:
        run_virtual(main)
    assert raised.group_contains(UsageError)


def test_who_belongs_to_a_scope_below_cannot_wait_for_it_either():
    def main():
        refused = []

        def grandchild(s):
            with pytest.raises(UsageError, match="would wait for itself"):
                s.wait()
            refused.append(1)

        def child(s):
            with scope() as inner, trueasync.shield():
                inner.spawn(grandchild, s)

        with scope() as s:
            s.spawn(child, s)
        return refused

    assert run_virtual(main) == [1]


def test_who_belongs_to_a_scope_cannot_enter_it():
    def main():
        s = scope()

        def child():
            with pytest.raises(UsageError, match="would wait for itself"):
                s.__enter__()
            return "refused"

        answer = s.spawn(child).result()
        s.wait()
        return answer

    assert run_virtual(main) == "refused"


def test_the_body_may_wait_for_the_others():
    def main():
        with scope() as s:
            s.spawn(sleep, 4)
            s.wait()
            between = now()
            s.spawn(sleep, 4)
        return between, now()

    assert run_virtual(main) == (4, 8)


def test_waiting_for_a_scope_has_a_timeout():
    def main():
        s = scope(name="slow")
        s.spawn(sleep, 10)
        with pytest.raises(TimeoutError, match=r"scope slow at .* has not ended within 3 s: 1 in"):
            s.wait(timeout=3)
        at = now()
        s.wait(timeout=30)
        return at, now()

    assert run_virtual(main) == (3, 10)


# -- values ----------------------------------------------------------------------------------


def test_a_scope_has_values_for_all_in_it():
    def main():
        with scope() as s:
            s.values["limit"] = 3
            child = s.spawn(lambda: trueasync.current_scope().values["limit"])
        return child.result()

    assert run_virtual(main) == 3


def test_the_repr_says_what_is_in_it():
    def main():
        with scope(name="crawl") as s:
            s.spawn(int)
            before = repr(s)
            s.cancel()
            during = repr(s)
        return before, during, repr(s)

    assert run_virtual(main) == (
        "<Scope crawl, 1 in it>",
        "<Scope crawl, 0 in it, cancelled>",
        "<Scope crawl, ended, cancelled>",
    )

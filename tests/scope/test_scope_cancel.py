"""Cancelling a scope: all that is in it and below, the body, and nobody else."""

import pytest

import trueasync
from trueasync import Cancelled, scope, sleep, spawn
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def forever():
    sleep(3600)


def test_cancelling_cancels_the_children_and_the_body(run):
    def main():
        with scope() as s:
            children = [s.spawn(forever) for _ in range(3)]
            s.spawn(s.cancel)
            sleep(60)
            children.append("the body went on")
        return [child.cancelled() for child in children], s.cancelled

    assert run(main) == ([True] * 3, True)


def test_the_body_goes_on_to_its_next_wait():
    def main():
        seen = []
        with scope() as s:
            s.cancel()
            seen.append("went on")
            sleep(1)
            seen.append("never")
        return seen, now()

    assert run_virtual(main) == (["went on"], 0)


def test_a_body_that_waits_no_more_is_not_disturbed():
    def main():
        with scope() as s:
            child = s.spawn(forever)
            s.cancel()
        sleep(1)
        return child.cancelled(), now()

    assert run_virtual(main) == (True, 1)


def test_a_child_that_was_not_started_never_runs():
    def main():
        ran = []
        with scope() as s:
            s.spawn(ran.append, 1)
            s.cancel()
        return ran

    assert run_virtual(main) == []


def test_cancelling_goes_all_the_way_down():
    def main():
        ended = []

        def nest(depth):
            try:
                with scope() as s:
                    if depth:
                        s.spawn(nest, depth - 1)
                    sleep(60)
            finally:
                ended.append(depth)

        with scope() as s:
            s.spawn(nest, 5)
            sleep(1)
            s.cancel()
        return sorted(ended), now()

    assert run_virtual(main) == ([0, 1, 2, 3, 4, 5], 1)


def test_those_below_hear_of_it_at_once_and_not_when_the_one_above_has_cleaned_up():
    def main():
        seen = []

        def inner():
            try:
                forever()
            finally:
                seen.append(("inner", now()))

        def outer():
            with scope() as s:
                s.spawn(inner)
                try:
                    sleep(60)
                finally:
                    sleep(5)
                    seen.append(("outer", now()))

        with scope() as s:
            s.spawn(outer)
            sleep(1)
            s.cancel()
        return seen

    assert run_virtual(main) == [("inner", 1), ("outer", 6)]


def test_a_deep_tree_is_cancelled_without_recursion():
    def main():
        depth = 2000

        def nest(n):
            with scope() as s:
                if n:
                    s.spawn(nest, n - 1)
                forever()

        with scope() as s:
            s.spawn(nest, depth)
            sleep(1)
            alive = len(trueasync.get_coroutines())
            s.cancel()
        return alive - depth, len(trueasync.get_coroutines())

    assert run_virtual(main) == (2, 1)


def test_cancelling_a_scope_touches_nobody_outside():
    def main():
        with scope() as outer:
            sibling = outer.spawn(sleep, 3)
            with scope() as inner:
                inner.spawn(forever)
                inner.cancel()
            after = now()
        return after, sibling.cancelled(), outer.cancelled, now()

    assert run_virtual(main) == (0, False, False, 3)


def test_cancelling_twice_is_once():
    def main():
        caught = []

        def child():
            try:
                forever()
            except Cancelled:
                caught.append(1)
                sleep(5)
                raise

        with scope() as s:
            s.spawn(child)
            sleep(1)
            s.cancel()
            s.cancel()
        return caught, now()

    assert run_virtual(main) == ([1], 6)


def test_a_scope_cancelled_before_it_is_entered_cancels_its_body():
    def main():
        s = scope()
        s.cancel()
        with s:
            sleep(60)
        return now(), s.cancelled

    assert run_virtual(main) == (0, True)


def test_the_scopes_made_in_a_cancelled_one_are_cancelled():
    def main():
        kept = []
        with scope() as s:
            lower = scope()
            kept.append(lower)
            child = lower.spawn(forever)
            sleep(1)
            s.cancel()
        return child.cancelled(), lower.cancelled, now()

    assert run_virtual(main) == (True, True, 1)


def test_cancelling_the_coroutine_of_a_body_cancels_its_scope():
    def main():
        held = []

        def owner():
            with scope() as s:
                held.append(s.spawn(forever))
                sleep(60)

        coroutine = spawn(owner)
        sleep(1)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return coroutine.cancelled(), held[0].cancelled(), now()

    assert run_virtual(main) == (True, True, 1)


def test_cancelling_a_coroutine_that_leaves_a_scope_cancels_the_scope():
    def main():
        held = []

        def owner():
            with scope() as s:
                held.append(s.spawn(forever))

        coroutine = spawn(owner)
        sleep(1)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return coroutine.cancelled(), held[0].cancelled()

    assert run_virtual(main) == (True, True)


# -- while woken, while leaving -----------------------------------------------------------------


def test_what_a_child_was_woken_for_is_delivered():
    def main():
        event, seen = Event(), []

        def child():
            running_scheduler("test").wait(event)
            seen.append("value")
            sleep(1)
            seen.append("never")

        with scope() as s:
            s.spawn(child)
            trueasync.suspend()
            event.fire()
            s.cancel()
        return seen

    assert run_virtual(main) == ["value"]


def test_cancelling_while_leaving_cancels_the_rest_and_no_more():
    def main():
        with scope() as s:
            child = s.spawn(forever)
            s.spawn(lambda: (sleep(1), s.cancel()))
        sleep(1)
        return child.cancelled(), now()

    assert run_virtual(main) == (True, 2)


def test_leaving_waits_for_clean_ups_though_it_is_cancelled_itself():
    def main():
        seen = []

        def child():
            try:
                forever()
            finally:
                sleep(5)
                seen.append(now())

        def owner():
            with scope() as s:
                s.spawn(child)

        coroutine = spawn(owner)
        sleep(1)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now()

    assert run_virtual(main) == ([6], 6)

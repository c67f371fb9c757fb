"""Grace: a clean-up may take that long; then the cancellation comes again at every wait."""

import pytest

import trueasync
from trueasync import Cancelled, scope, shield, sleep, spawn
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def stubborn(caught, times=3, pause=100):
    """Goes on for so many cancellations."""
    for _ in range(times):
        try:
            sleep(pause)
        except Cancelled:
            caught.append(now())
    sleep(pause)


def test_without_a_grace_the_clean_up_takes_its_time():
    def main():
        caught = []
        coroutine = spawn(stubborn, caught, 1)
        sleep(1)
        coroutine.cancel()
        coroutine.result()
        return caught, now()

    assert run_virtual(main) == ([1], 101)


def test_after_the_grace_it_comes_again_at_every_wait(run):
    def main():
        caught = []
        coroutine = spawn(stubborn, caught, 3, 60)
        trueasync.suspend()
        coroutine.cancel(grace=0.001)
        with pytest.raises(Cancelled):
            coroutine.result()
        return len(caught), coroutine.cancelled()

    assert run(main) == (3, True)


def test_a_clean_up_within_the_grace_is_not_disturbed():
    def main():
        seen = []

        def child():
            try:
                sleep(100)
            finally:
                sleep(4)
                seen.append(now())

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel(grace=5)
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now(), trueasync.stats()["active_events"]

    assert run_virtual(main) == ([5], 5, 0)


def test_a_wait_after_the_grace_lasts_for_one_round():
    def main():
        seen = []

        def child():
            try:
                sleep(100)
            finally:
                try:
                    sleep(100)
                finally:
                    helper = trueasync.options(name="helper").spawn(seen.append, "helper ran")
                    try:
                        helper.result()
                    finally:
                        seen.append(helper.done())

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel(grace=2)
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now()

    assert run_virtual(main) == (["helper ran", True], 3)


def test_the_grace_of_a_scope_is_for_all_that_is_below():
    def main():
        caught = []

        def nest(depth):
            with scope() as s:
                if depth:
                    s.spawn(nest, depth - 1)
                stubborn(caught, 2)

        with scope() as s:
            s.spawn(nest, 2)
            sleep(1)
            s.cancel(grace=3)
        return sorted(caught), now()

    assert run_virtual(main) == ([1, 1, 1, 4, 4, 4], 4)


def test_the_grace_of_a_scope_is_for_its_body_too():
    def main():
        caught = []
        with scope() as s:
            s.spawn(lambda: s.cancel(grace=3))
            stubborn(caught, 2)
        sleep(1)
        return caught, now()

    assert run_virtual(main) == ([0, 3], 4)


def test_after_its_block_was_left_nobody_insists_any_more():
    def main():
        with scope() as s:
            s.cancel(grace=1)
            try:
                sleep(60)
            finally:
                sleep(60)
        sleep(5)
        trueasync.suspend()
        return now()

    assert run_virtual(main) == 6


def test_a_grace_may_be_given_later():
    def main():
        caught = []
        with scope() as s:
            s.spawn(stubborn, caught, 2)
            spawn(give_grace, s)
            sleep(1)
            s.cancel()
        return caught, now()

    def give_grace(s):
        with shield():
            sleep(5)
            s.cancel(grace=2)

    assert run_virtual(main) == ([1, 7], 7)


def test_a_grace_that_is_not_needed_keeps_nothing_waiting():
    def main():
        with scope() as s:
            s.spawn(sleep, 60)
            s.cancel(grace=3600)
        return trueasync.stats()["active_events"], now()

    assert run_virtual(main) == (0, 0)


def test_nor_does_that_of_a_scope_without_a_with_statement():
    def main():
        s = scope()
        s.spawn(sleep, 60)
        s.cancel(grace=3600)
        other = scope()
        other.spawn(sleep, 60)
        trueasync.suspend()
        other.cancel(grace=3600)
        other.wait()
        return trueasync.stats()["active_events"], now()

    assert run_virtual(main) == (0, 0)


def test_a_shield_stands_against_a_grace():
    def main():
        seen = []

        def child():
            with shield():
                sleep(50)
                seen.append(now())
            sleep(50)

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel(grace=2)
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now()

    assert run_virtual(main) == ([50], 50)


def test_leaving_a_scope_waits_however_often_it_is_cancelled():
    def main():
        seen = []

        def child():
            try:
                sleep(100)
            finally:
                with shield():
                    sleep(20)
                    seen.append(now())

        def owner():
            with scope() as s:
                s.spawn(child)

        coroutine = spawn(owner)
        sleep(1)
        coroutine.cancel(grace=2)
        before = trueasync.stats()["switches"]
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now(), trueasync.stats()["switches"] - before < 50

    assert run_virtual(main) == ([21], 21, True)


IGNORES_EVERYTHING = """
import trueasync

def child():
    while True:
        try:
            trueasync.sleep(3600)
        except trueasync.Cancelled:
            pass

def main():
    with trueasync.scope() as s:
        s.spawn(child)
        trueasync.sleep(0.001)
        s.cancel(grace=0.001)
    print("the scope was left")

try:
    trueasync.run(main)
except RuntimeError as error:
    print(error)
"""


def test_one_that_ignores_it_for_ever_is_left_behind_and_named(python):
    # In a process of its own: its stack is kept for good.
    lines = python(IGNORES_EVERYTHING).stdout.splitlines()

    assert lines[0] == "the scope was left"
    assert lines[1].endswith("ignores its cancellation; abandoned")

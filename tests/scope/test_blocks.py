"""Whose a cancellation is: which `with` statement it ends, and blocks left in odd ways."""

import sys

import pytest

import trueasync
from trueasync import Cancelled, UsageError, scope, sleep, spawn
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import BaseExceptionGroup


def now():
    return running_scheduler("test").reactor.now()


def forever():
    sleep(3600)


# -- whose it is ---------------------------------------------------------------------------------


def test_the_inner_scope_lets_the_cancellation_of_the_outer_pass():
    def main():
        seen = []
        with scope() as outer:
            with scope() as inner:
                outer.cancel()
                sleep(1)
            seen.append("never")
        return seen, inner.cancelled, outer.cancelled

    assert run_virtual(main) == ([], True, True)


def test_who_has_to_leave_the_outer_is_not_asked_to_leave_the_inner_again():
    def main():
        caught = []
        with scope() as outer, scope() as inner:
            try:
                outer.cancel()
                sleep(1)
            except Cancelled:
                caught.append("outer")
                inner.cancel()
                sleep(5)
                caught.append("cleaned up")
                raise
        return caught, now()

    assert run_virtual(main) == (["outer", "cleaned up"], 5)


def test_who_leaves_the_inner_and_is_asked_to_leave_the_outer_is_told():
    def main():
        caught = []
        with scope() as outer:
            with scope() as inner:
                try:
                    inner.cancel()
                    sleep(1)
                except Cancelled:
                    caught.append("inner")
                    outer.spawn(outer.cancel)
                    try:
                        sleep(5)
                    except Cancelled:
                        caught.append("outer")
                        raise
            caught.append("never")
        return caught, now()

    assert run_virtual(main) == (["inner", "outer"], 0)


def test_the_outer_cancellation_is_not_lost_when_the_clean_up_of_the_inner_swallows_it():
    def main():
        caught = []
        with scope() as outer:
            with scope() as inner:
                try:
                    inner.cancel()
                    sleep(1)
                finally:
                    outer.spawn(outer.cancel)
                    try:
                        sleep(5)
                    except BaseException:
                        caught.append("swallowed")
            caught.append("never")
        return caught, now()

    assert run_virtual(main) == (["swallowed"], 0)


def test_a_swallowed_cancellation_lets_the_body_go_on(run):
    def main():
        with scope() as s:
            try:
                s.cancel()
                sleep(60)
            except Cancelled:
                pass
            sleep(0.001)
            return "went on", s.cancelled

    assert run(main) == ("went on", True)


def test_a_scope_opened_in_a_clean_up_works_as_always():
    def main():
        seen = []
        with scope() as s:
            try:
                s.cancel()
                sleep(60)
            finally:
                with scope() as cleanup:
                    cleanup.spawn(lambda: (sleep(2), seen.append("flushed")))
        return seen, cleanup.cancelled

    assert run_virtual(main) == (["flushed"], False)


def test_a_cancelled_of_someone_elses_is_an_error():
    def main():
        with scope() as s:
            other = s.spawn(forever)
            other.cancel()
            s.spawn(other.result)

    with pytest.raises(BaseExceptionGroup) as raised:
        run_virtual(main)
    assert [type(error) for error in raised.value.exceptions] == [Cancelled]


# -- spawning into it ---------------------------------------------------------------------------


def test_nothing_can_be_spawned_into_a_cancelled_scope():
    def main():
        with scope() as s:
            s.cancel("enough")
            with pytest.raises(Cancelled):
                s.spawn(int)
            with pytest.raises(UsageError, match=r"it is cancelled \(enough\)"):
                s.spawn(int)

    run_virtual(main)


def test_who_spawns_while_its_cancellation_is_under_way_hears_of_that():
    def main():
        event = Event()

        def accept():
            running_scheduler("test").wait(event)
            spawn(int)  # woken before, cancelled since

        with scope() as s:
            acceptor = s.spawn(accept)
            trueasync.suspend()
            event.fire()
            s.cancel()
        return acceptor.cancelled()

    assert run_virtual(main)


# -- generators --


def test_a_scope_in_a_generator_that_is_closed_is_cancelled():
    def main():
        held = []

        def numbers():
            with scope() as s:
                held.append(s.spawn(forever))
                yield 1
                yield 2

        for _ in numbers():
            break
        return held[0].cancelled(), now()

    assert run_virtual(main) == (True, 0)


def test_a_generator_that_outlives_its_coroutine_cancels_its_scope():
    def main():
        held = []

        def numbers():
            with scope() as s:
                held.append(s.spawn(forever))
                yield 1

        generator = numbers()
        spawn(next, generator).result()
        sleep(1)
        generator.close()
        return held[0].cancelled(), now()

    assert run_virtual(main) == (True, 1)


def test_a_block_left_in_another_coroutine_is_an_error():
    def main():
        def numbers():
            with trueasync.shield():
                yield 1

        generator = numbers()

        def first():
            next(generator)
            sleep(10)

        spawn(first)
        sleep(1)
        with pytest.raises(UsageError, match="left in another coroutine"):
            next(generator)

    run_virtual(main)


def test_blocks_of_a_generator_need_not_be_left_in_order():
    def main():
        def numbers():
            with scope() as s:
                s.spawn(sleep, 1)
                yield 1

        with scope() as s:
            generator = numbers()
            next(generator)
            s.spawn(sleep, 5)
        at = now()
        generator.close()
        return at, now(), trueasync.current_scope()

    assert run_virtual(main) == (5, 5, None)

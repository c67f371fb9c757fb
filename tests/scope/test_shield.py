"""shield: what comes from outside waits until it is left; what is inside works as always."""

import pytest

import trueasync
from trueasync import Cancelled, UsageError, scope, shield, sleep, spawn
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def now():
    return running_scheduler("test").reactor.now()


def forever():
    sleep(3600)


def test_a_cancellation_comes_at_the_first_wait_after(run):
    def main():
        seen = []

        def child():
            with shield():
                sleep(0.002)
                seen.append("shielded")
            seen.append("after")
            sleep(60)
            seen.append("never")

        coroutine = spawn(child)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, coroutine.cancelled()

    assert run(main) == (["shielded", "after"], True)


def test_shields_nest():
    def main():
        seen = []

        def child():
            with shield():
                with shield():
                    sleep(2)
                seen.append("left the inner")
                sleep(2)
                seen.append("left the outer")
            sleep(60)

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now()

    assert run_virtual(main) == (["left the inner", "left the outer"], 4)


def test_a_cancellation_that_is_under_way_is_kept_off():
    def main():
        seen = []

        def child():
            trueasync.current_coroutine().cancel()
            with shield():
                sleep(1)
                seen.append("shielded")
            sleep(1)

        coroutine = spawn(child)
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen, now()

    assert run_virtual(main) == (["shielded"], 1)


def test_a_coroutine_that_waits_no_more_is_not_cancelled():
    def main():
        def child():
            with shield():
                sleep(2)
            return "finished"

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel()
        return coroutine.result(), coroutine.cancelled()

    assert run_virtual(main) == ("finished", False)


def test_a_scope_inside_a_shield_is_not_reached_from_outside():
    def main():
        seen = []

        def child():
            with shield(), scope() as s:
                s.spawn(lambda: (sleep(5), seen.append("flushed")))

        with scope() as outer:
            outer.spawn(child)
            sleep(1)
            outer.cancel()
        return seen, now()

    assert run_virtual(main) == (["flushed"], 5)


def test_a_scope_inside_a_shield_can_be_cancelled_by_itself():
    def main():
        def child():
            with shield(), scope() as s:
                s.spawn(lambda: (sleep(2), s.cancel()))
                forever()
            return now()

        return spawn(child).result()

    assert run_virtual(main) == 2


def test_the_children_of_a_scope_around_the_shield_are_cancelled_at_once():
    def main():
        seen = []

        def child():
            try:
                forever()
            finally:
                seen.append(now())

        with scope() as s:
            s.spawn(child)
            s.spawn(lambda: (sleep(1), s.cancel()))
            with shield():
                sleep(5)
            sleep(1)
        return seen, now()

    assert run_virtual(main) == ([1], 5)


def test_the_scope_between_the_cancelled_one_and_the_shield_is_cancelled_at_once():
    def main():
        seen = []

        def child():
            try:
                forever()
            finally:
                seen.append(now())

        with scope() as outer:
            outer.spawn(lambda: (sleep(1), outer.cancel()))
            with scope() as inner:
                inner.spawn(child)
                with shield():
                    sleep(5)
                sleep(1)
        return seen, now()

    assert run_virtual(main) == ([1], 5)


def test_what_is_cancelled_inside_and_outside_leaves_the_outermost():
    def main():
        seen = []
        with scope() as outer:
            outer.spawn(lambda: (sleep(1), outer.cancel()))
            with scope() as middle:
                outer.spawn(lambda: (sleep(0.5), middle.cancel()))
                with shield():
                    sleep(5)
                sleep(1)
            seen.append("never")
        return seen, now()

    assert run_virtual(main) == ([], 5)


def test_an_error_passes_a_shield():
    def main():
        with shield():
            raise OSError("through")

    with pytest.raises(OSError, match="through"):
        run_virtual(main)


def test_ctrl_c_does_not_stop_at_a_shield():
    def main():
        interrupt = running_scheduler("test").interrupt
        spawn(lambda: interrupt(KeyboardInterrupt()))
        with shield():
            sleep(60)

    with pytest.raises(KeyboardInterrupt):
        run_virtual(main)


def test_the_hard_end_of_a_run_does_not_stop_at_a_shield():
    def main():
        def child():
            with shield():
                forever()

        spawn(child)
        sleep(1)
        raise OSError("over")

    with pytest.raises(OSError, match="over"):
        run_virtual(main)


def test_the_graceful_end_of_a_run_stops_at_a_shield():
    seen = []

    def main():
        def child():
            with shield():
                sleep(5)
                seen.append(now())
            sleep(5)

        spawn(child)
        sleep(1)
        raise OSError("over")

    with pytest.raises(OSError, match="over"):
        run_virtual(main)
    assert seen == [5]


def test_a_shield_needs_a_coroutine():
    with pytest.raises(UsageError, match=r"`with shield\(\)` works in a coroutine"):
        shield().__enter__()

"""Timeouts in each other, and beside cancellations: which block ends."""

import pytest

from trueasync import Cancelled, clock, move_on, scope, shield, sleep, spawn, timeout
from trueasync.testing import run as run_virtual


def forever():
    sleep(3600)


# -- nested ------------------------------------------------------------------------------------


def test_the_inner_one_expires_and_the_outer_goes_on():
    def main():
        with timeout(10) as outer:
            with pytest.raises(TimeoutError), timeout(2):
                forever()
            sleep(5)
        return outer.expired, clock()

    assert run_virtual(main) == (False, 7)


def test_the_outer_one_expires_inside_the_inner():
    def main():
        seen = []
        try:
            with timeout(2):
                with timeout(10):
                    forever()
                seen.append("never")
        except TimeoutError as error:
            return seen, clock(), str(error)[-10:]

    assert run_virtual(main) == ([], 2, "within 2 s")


def test_when_both_expire_at_once_it_is_the_outer():
    def main():
        with move_on(2) as outer:
            with move_on(2) as inner:
                forever()
            sleep(1)
        return outer.expired, clock(), inner.expired

    assert run_virtual(main)[:2] == (True, 2)


def test_an_except_for_timeout_error_inside_the_outer_does_not_catch_it():
    def main():
        caught = []
        with move_on(2) as outer:
            try:
                with timeout(10):
                    forever()
            except TimeoutError:
                caught.append("wrong")
        return caught, outer.expired

    assert run_virtual(main) == ([], True)


def test_the_outer_one_interrupts_a_clean_up_of_the_inner():
    def main():
        seen = []
        with move_on(5) as outer, move_on(2):
            try:
                forever()
            finally:
                sleep(60)
                seen.append("never")
        return seen, outer.expired, clock()

    assert run_virtual(main) == ([], True, 5)


def test_the_inner_one_does_not_interrupt_a_clean_up_of_the_outer():
    def main():
        seen = []
        with move_on(2) as outer, move_on(5) as inner:
            try:
                forever()
            finally:
                sleep(60)
                seen.append("cleaned up")
        return seen, outer.expired, inner.expired, clock()

    assert run_virtual(main) == (["cleaned up"], True, False, 62)


def test_a_timeout_in_a_clean_up_bounds_it():
    def main():
        with move_on(2) as outer:
            try:
                forever()
            finally:
                with move_on(3) as inner:
                    forever()
        return outer.expired, inner.expired, clock()

    assert run_virtual(main) == (True, True, 5)


def test_a_timeout_works_inside_a_shield():
    def main():
        def child():
            with shield(), move_on(3) as limit:
                forever()
            return limit.expired, clock()

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel()
        return coroutine.result()

    assert run_virtual(main) == (True, 3)


def test_a_timeout_around_a_shield_comes_when_the_shield_is_left():
    def main():
        seen = []
        with move_on(2) as limit:
            with shield():
                sleep(5)
            seen.append(clock())
            sleep(1)
            seen.append("never")
        return seen, limit.expired, clock()

    assert run_virtual(main) == ([5], True, 5)


def test_a_timeout_takes_the_scopes_inside_with_it():
    def main():
        with move_on(2), scope() as s:
            child = s.spawn(forever)
        return child.cancelled(), s.cancelled, clock()

    assert run_virtual(main) == (True, True, 2)


def test_a_timeout_does_not_bind_what_is_spawned_in_it():
    def main():
        with scope() as s:
            with move_on(2):
                child = spawn(sleep, 10)
                forever()
            still = child.done()
        return still, s.cancelled, clock()

    assert run_virtual(main) == (False, False, 10)


# -- who else is cancelled -----------------------------------------------------------------------


def test_a_cancelled_coroutine_is_cancelled_and_not_timed_out():
    def main():
        def child():
            with timeout(5):
                forever()

        coroutine = spawn(child)
        sleep(1)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return coroutine.cancelled()

    assert run_virtual(main)


def test_one_that_is_timed_out_and_then_cancelled_is_cancelled():
    def main():
        def child():
            with timeout(1):
                try:
                    forever()
                except BaseException:
                    try:
                        sleep(60)
                    except BaseException:
                        pass
                    raise

        coroutine = spawn(child)
        sleep(2)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return coroutine.cancelled(), clock()

    assert run_virtual(main) == (True, 2)


def test_an_error_in_the_clean_up_takes_the_place_of_the_timeout():
    def main():
        with timeout(1):
            try:
                forever()
            finally:
                raise OSError("while closing")

    with pytest.raises(OSError, match="while closing"):
        run_virtual(main)


def test_a_timeout_error_of_someone_else_passes():
    def main():
        with move_on(5) as limit:
            raise TimeoutError("of the network")
        return limit

    with pytest.raises(TimeoutError, match="of the network"):
        run_virtual(main)


def test_a_swallowed_timeout_lets_the_code_go_on():
    def main():
        with timeout(1) as limit:
            try:
                forever()
            except Cancelled:
                pass
            sleep(5)
        return limit.expired, clock()

    assert run_virtual(main) == (False, 6)

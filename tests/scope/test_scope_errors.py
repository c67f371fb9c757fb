"""What fails in a scope: the others are cancelled, and all errors come out as one group."""

import sys

import pytest

import trueasync
from trueasync import Cancelled, scope, sleep, spawn
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import BaseExceptionGroup, ExceptionGroup


def now():
    return running_scheduler("test").reactor.now()


def forever():
    sleep(3600)


def fail(error, after=0):
    sleep(after)
    raise error


def errors_of(function, kind=ExceptionGroup):
    with pytest.raises(kind) as raised:
        function()
    return list(raised.value.exceptions)


def test_a_failing_child_cancels_its_siblings_and_the_body(run):
    def main():
        held = []

        def body():
            with scope() as s:
                held.append(s.spawn(forever))
                s.spawn(fail, OSError("broken"), 0.001)
                sleep(3600)

        (error,) = errors_of(body)
        return str(error), held[0].cancelled()

    assert run(main) == ("broken", True)


def test_one_error_comes_in_a_group_too():
    def main():
        with scope() as s:
            s.spawn(fail, OSError("broken"))

    with pytest.raises(ExceptionGroup, match=r"errors in the scope at .*test_scope_errors.py:\d+"):
        run_virtual(main)


def test_errors_of_clean_ups_join_the_group():
    def main():
        def child():
            try:
                forever()
            finally:
                raise ValueError("while closing")

        def body():
            with scope() as s:
                s.spawn(child)
                s.spawn(fail, OSError("broken"), 1)

        return [type(error) for error in errors_of(body)]

    assert run_virtual(main) == [OSError, ValueError]


def test_an_error_of_the_body_joins_the_group():
    def main():
        held = []

        def body():
            with scope() as s:
                held.append(s.spawn(forever))
                sleep(1)
                raise KeyError("body")

        (error,) = errors_of(body)
        return type(error), held[0].cancelled(), now()

    assert run_virtual(main) == (KeyError, True, 1)


def test_an_error_that_the_body_passes_on_is_in_the_group_once():
    def main():
        def body():
            with scope() as s:
                child = s.spawn(fail, OSError("broken"), 1)
                child.result()

        return [str(error) for error in errors_of(body)]

    assert run_virtual(main) == ["broken"]


def test_an_error_that_somebody_took_with_result_still_fails_the_scope():
    def main():
        def body():
            with scope() as s:
                child = s.spawn(fail, OSError("broken"), 1)
                with pytest.raises(OSError, match="broken"):
                    child.result()

        return [str(error) for error in errors_of(body)]

    assert run_virtual(main) == ["broken"]


def test_cancellations_are_not_in_the_group():
    def main():
        def body():
            with scope() as s:
                for _ in range(3):
                    s.spawn(forever)
                s.spawn(forever).cancel()
                s.spawn(fail, OSError("broken"), 1)
                sleep(60)

        return [type(error) for error in errors_of(body)]

    assert run_virtual(main) == [OSError]


def test_cancelling_one_child_fails_nobody():
    def main():
        with scope() as s:
            first, second = s.spawn(forever), s.spawn(sleep, 3)
            sleep(1)
            first.cancel()
        return first.cancelled(), second.cancelled(), s.cancelled, now()

    assert run_virtual(main) == (True, False, False, 3)


def test_a_group_of_a_scope_below_is_one_error_of_the_one_above():
    def main():
        def child():
            with scope() as lower:
                lower.spawn(fail, OSError("deep"))

        def body():
            with scope() as s:
                s.spawn(child)

        (group,) = errors_of(body)
        return [str(error) for error in group.exceptions]

    assert run_virtual(main) == ["deep"]


def test_a_base_exception_makes_it_a_base_exception_group():
    def main():
        def body():
            with scope() as s:
                s.spawn(fail, BaseException("odd"))

        return [str(error) for error in errors_of(body, BaseExceptionGroup)]

    assert run_virtual(main) == ["odd"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_program_comes_out_as_itself_from_a_child(kind):
    def main():
        with scope() as s:
            s.spawn(forever)
            s.spawn(fail, kind())
            sleep(60)

    with pytest.raises(kind):
        run_virtual(main)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_program_comes_out_as_itself_from_the_body(kind):
    def main():
        with scope() as s:
            s.spawn(fail, OSError("broken"), 1)
            try:
                sleep(60)
            finally:
                raise kind

    with pytest.raises(kind) as raised:
        run_virtual(main)
    assert [type(one) for one in raised.value.__cause__.exceptions] == [OSError]


def test_the_traceback_of_an_error_shows_where_it_failed():
    def main():
        def body():
            with scope() as s:
                s.spawn(fail, OSError("broken"))

        (error,) = errors_of(body)
        names = []
        traceback = error.__traceback__
        while traceback is not None:
            names.append(traceback.tb_frame.f_code.co_name)
            traceback = traceback.tb_next
        return names

    assert run_virtual(main) == ["fail"]


def test_an_error_beside_a_cancellation_from_outside_is_not_lost():
    def main():
        def child():
            try:
                forever()
            finally:
                raise OSError("while closing")

        def body():
            with scope() as outer, scope() as inner:
                inner.spawn(child)
                outer.spawn(lambda: (sleep(1), outer.cancel()))

        (group,) = errors_of(body)
        return [str(error) for error in group.exceptions]

    assert run_virtual(main) == ["while closing"]


def test_an_error_in_a_scope_does_not_end_the_run():
    def main():
        try:
            with scope() as s:
                s.spawn(fail, OSError("broken"))
        except ExceptionGroup:
            pass
        sleep(1)
        return now()

    assert run_virtual(main) == 1


# -- handlers ------------------------------------------------------------------------------------


def test_a_handler_that_takes_an_error_keeps_the_scope_going():
    def main():
        taken = []

        def on_error(coroutine, error):
            taken.append((coroutine.name, str(error)))
            return True

        with scope(on_error=on_error) as s:
            s.spawn(fail, OSError("one"), 1)
            s.spawn(fail, OSError("two"), 2)
            other = s.spawn(sleep, 5)
        return taken, other.cancelled(), now()

    assert run_virtual(main) == ([("fail", "one"), ("fail", "two")], False, 5)


def test_a_handler_that_does_not_take_an_error_has_only_seen_it():
    def main():
        seen = []

        def body():
            with scope(on_error=lambda coroutine, error: seen.append(str(error))) as s:
                s.spawn(fail, OSError("one"))

        return [str(error) for error in errors_of(body)], seen

    assert run_virtual(main) == (["one"], ["one"])


def test_the_error_of_a_handler_takes_the_place_of_what_it_got():
    def main():
        def on_error(coroutine, error):
            raise ValueError("no such thing")

        def body():
            with scope(on_error=on_error) as s:
                s.spawn(fail, OSError("one"))

        (error,) = errors_of(body)
        return str(error), str(error.__context__)

    assert run_virtual(main) == ("no such thing", "one")


def test_a_handler_does_not_see_cancellations_or_the_body():
    def main():
        seen = []

        def body():
            with scope(on_error=lambda coroutine, error: seen.append(error)) as s:
                s.spawn(forever)
                s.spawn(forever).cancel()
                sleep(1)
                raise OSError("body")

        errors_of(body)
        return seen

    assert run_virtual(main) == []


def test_a_handler_must_not_wait():
    def main():
        def body():
            with scope(on_error=lambda coroutine, error: sleep(1)) as s:
                s.spawn(fail, OSError("one"))

        return [type(error) for error in errors_of(body)]

    assert run_virtual(main) == [trueasync.UsageError]


# -- interruptions while leaving ------------------------------------------------------------------


def test_ctrl_c_while_a_scope_is_left_cancels_the_children_and_comes_out():
    def main():
        held = []
        try:
            with scope() as s:
                held.append(s.spawn(forever))
                s.spawn(lambda: running_scheduler("test").interrupt(KeyboardInterrupt()))
        finally:
            held.append(held[0].cancelled())
            assert held[1]

    with pytest.raises(KeyboardInterrupt):
        run_virtual(main)


def test_a_second_ctrl_c_does_not_leave_children_behind():
    def main():
        interrupt = running_scheduler("test").interrupt
        cleaned = []

        def child():
            try:
                forever()
            finally:
                sleep(3)
                cleaned.append(now())

        try:
            with scope() as s:
                s.spawn(child)
                s.spawn(lambda: interrupt(KeyboardInterrupt("first")))
                spawn(lambda: 0)
                trueasync.options(name="later").spawn(later, interrupt)
        finally:
            assert cleaned == [3]

    def later(interrupt):
        try:
            sleep(60)
        except Cancelled:
            interrupt(KeyboardInterrupt("second"))
            raise

    with pytest.raises(KeyboardInterrupt):
        run_virtual(main)

"""A scope without a `with` statement: it lives as long as somebody holds it."""

import gc
import sys

import pytest

import trueasync
from trueasync import Cancelled, UsageError, scope, sleep
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


def now():
    return running_scheduler("test").reactor.now()


def forever():
    sleep(3600)


# -- without a `with` statement -----------------------------------------------------------------


def test_the_last_reference_to_a_scope_takes_its_coroutines_with_it(run):
    def main():
        seen = []

        def child():
            try:
                sleep(60)
            except Cancelled as cancelled:
                seen.append(str(cancelled))
                raise

        s = scope(name="mine")
        coroutine = s.spawn(child)
        trueasync.suspend()
        del s
        with pytest.raises(Cancelled):
            coroutine.result()
        return seen

    (text,) = run(main)
    assert text.startswith("scope mine at ")
    assert text.endswith("nobody holds it any more")


def test_a_scope_in_a_cycle_takes_its_coroutines_with_it_when_it_is_collected():
    def main():
        class Server:
            def __init__(self):
                self.scope = scope()
                self.me = self
                self.worker = self.scope.spawn(sleep, 60)

        worker = Server().worker
        trueasync.suspend()
        gc.collect()
        trueasync.suspend()
        return worker.cancelled(), now()

    assert run_virtual(main) == (True, 0)


def test_the_errors_of_a_scope_nobody_holds_end_the_run():
    def main():
        def child():
            sleep(1)
            raise OSError("nobody asked")

        s = scope()
        s.spawn(child)
        sleep(2)
        del s
        sleep(60)

    with pytest.raises(OSError, match="nobody asked"):
        run_virtual(main)


def test_waiting_for_a_scope_raises_its_errors_once():
    def main():
        s = scope()
        s.spawn(lambda: 1 / 0)
        with pytest.raises(ExceptionGroup) as raised:
            s.wait()
        s.wait()
        return [type(error) for error in raised.value.exceptions]

    assert run_virtual(main) == [ZeroDivisionError]


def test_a_scope_waits_for_the_scopes_made_in_it():
    def main():
        kept = []
        with scope():
            s = scope()
            kept.append(s)
            s.spawn(sleep, 7)
        return now()

    assert run_virtual(main) == 7


def test_a_scope_waits_for_a_scope_two_levels_below_with_an_empty_one_between():
    def main():
        kept = []

        def child():
            lower = scope()
            kept.append(lower)
            lower.spawn(sleep, 7)

        with scope():
            middle = scope()
            kept.append(middle)
            middle.spawn(child)
        return now()

    assert run_virtual(main) == 7


def test_a_scope_entered_late_is_waited_for_by_its_with_statement_only():
    def main():
        with scope() as outer:
            s = scope()
            s.spawn(sleep, 5)
            with s:
                counts = outer.coroutines, len(s.coroutines)
            at = now()
        return counts, at

    assert run_virtual(main) == (([], 1), 5)


def test_a_scope_made_in_one_that_has_ended_takes_nobody():
    def main():
        with scope():
            s = scope()
        with pytest.raises(UsageError, match="has ended"):
            s.spawn(int)

    run_virtual(main)

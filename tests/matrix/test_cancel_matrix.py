"""Each call that waits x the moment it is cancelled x who cancels; the calls are in waits.py.

Whatever happens, the wait ends once, what it was woken for is used or goes to the next, and
the thing works as before.
"""

import functools
import gc

import pytest
from waits import SOON, WAITS

import trueasync
from trueasync import Cancelled, move_on, scope, shield, sleep, spawn, suspend

LONG = 60


class Case:
    """One thing, a coroutine that waits at it, and whether that got through."""

    def __init__(self, wait):
        self.kind = wait
        self.thing = wait.make()
        self.got_through = False

    def wait(self):
        self.kind.wait(self.thing)
        self.got_through = True

    def wake(self):
        if self.kind.wake is not None:
            self.kind.wake(self.thing)
        else:
            sleep(2 * SOON)

    def works_as_before(self):
        """Somebody else can wait at it and be woken."""
        if self.got_through:
            self.kind.end(self.thing)
        after = spawn(self.kind.wait, self.thing)
        suspend()
        if not after.done():
            self.wake()
        after.result(timeout=LONG)
        self.kind.end(self.thing)


class Alone:
    """The coroutine is cancelled by itself."""

    def __enter__(self):
        return self

    def spawn(self, function):
        self.coroutine = spawn(function)
        return self.coroutine

    def cancel(self):
        self.coroutine.cancel()

    def __exit__(self, *error):
        pass


class InScope:
    """The scope it belongs to is cancelled."""

    def __enter__(self):
        self.scope = scope()
        return self

    def spawn(self, function):
        return self.scope.spawn(function)

    def cancel(self):
        self.scope.cancel()

    def __exit__(self, *error):
        self.scope.wait(LONG)


def cases():
    for wait in WAITS:
        for reactor in wait.on:
            yield pytest.param((wait, reactor), id=f"{wait.name}-{reactor}")


@pytest.fixture(params=list(cases()))
def at(request):
    """`at(body)` runs `body(case)` on the reactor; nothing may be armed after it."""
    wait, reactor = request.param
    run = trueasync.testing.run if reactor == "virtual" else trueasync.run

    def run_case(body):
        def main():
            case = Case(wait)
            suspend()
            body(case)
            case.works_as_before()
            del case
            gc.collect(0)
            return trueasync.stats()["active_events"]

        assert run(main) == 0

    return run_case


cancelled_by = pytest.mark.parametrize("by", [Alone, InScope])


@cancelled_by
def test_cancelled_before_it_starts_it_never_waits(at, by):
    def body(case):
        with by() as one:
            coroutine = one.spawn(case.wait)
            one.cancel()
        assert coroutine.cancelled()
        assert not case.got_through

    at(body)


@cancelled_by
def test_cancelled_while_it_waits_it_ends_there(at, by):
    def body(case):
        with by() as one:
            coroutine = one.spawn(case.wait)
            suspend()
            if coroutine.done():
                return  # it lets others go first, no more
            one.cancel()
            with pytest.raises(Cancelled):
                coroutine.result(LONG)
        assert coroutine.cancelled()
        assert not case.got_through

    at(body)


@cancelled_by
def test_woken_and_then_cancelled_it_has_what_it_was_woken_for(at, by):
    def body(case):
        with by() as one:
            coroutine = one.spawn(case.wait)
            suspend()
            case.wake()
            one.cancel()
            try:
                coroutine.result(LONG)
            except Cancelled:
                pass
        assert coroutine.done()
        assert coroutine.cancelled() != case.got_through

    at(body)


@cancelled_by
def test_cancelled_and_then_woken_it_takes_nothing(at, by):
    def body(case):
        with by() as one:
            coroutine = one.spawn(case.wait)
            suspend()
            if coroutine.done():
                return
            one.cancel()
            if case.kind.wake is not None:
                spawn(case.wake)
            with pytest.raises(Cancelled):
                coroutine.result(LONG)
        assert not case.got_through

    at(body)


@cancelled_by
def test_in_a_clean_up_it_waits_as_always(at, by):
    def body(case):
        def child():
            try:
                sleep(LONG)
            finally:
                case.wait()

        with by() as one:
            coroutine = one.spawn(child)
            suspend()
            one.cancel()
            suspend()
            suspend()
            case.wake()
            with pytest.raises(Cancelled):
                coroutine.result(LONG)
        assert case.got_through

    at(body)


@cancelled_by
def test_in_a_shield_it_waits_as_always(at, by):
    def body(case):
        def child():
            with shield():
                case.wait()
            sleep(LONG)

        with by() as one:
            coroutine = one.spawn(child)
            suspend()
            one.cancel()
            suspend()
            case.wake()
            with pytest.raises(Cancelled):
                coroutine.result(LONG)
        assert case.got_through

    at(body)


def test_below_a_timeout_it_ends_in_time(at):
    def body(case):
        with move_on(0) as limit:
            case.wait()
        assert limit.expired
        assert not case.got_through

    at(body)


def test_a_timeout_that_is_not_reached_changes_nothing(at):
    def body(case):
        with move_on(LONG) as limit, scope() as s:
            s.spawn(case.wait)
            suspend()
            case.wake()
        assert not limit.expired
        assert case.got_through

    at(body)


def test_many_who_are_cancelled_leave_the_one_who_is_not(at):
    def body(case):
        with scope() as s:
            waiting = [s.spawn(functools.partial(case.kind.wait, case.thing)) for _ in range(5)]
            suspend()
            for coroutine in waiting[:2] + waiting[3:]:
                coroutine.cancel()
            suspend()
            if not waiting[2].done():
                case.wake()
            waiting[2].result(LONG)
            case.kind.end(case.thing)

    at(body)

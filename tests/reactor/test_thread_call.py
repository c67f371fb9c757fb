"""ThreadCall: a function in a native thread, its end, and what becomes of errors."""

import contextvars
import gc
import sys
import threading
import weakref

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.reactor.reactor import UvReactor
from trueasync.reactor.workers import Crew
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor


@pytest.fixture(params=[UvReactor, VirtualReactor], ids=["libuv", "virtual"])
def reactor_class(request):
    return request.param


@pytest.fixture(params=["own thread", "crew"])
def crew(request):
    return Crew(2) if request.param == "crew" else None


class Gate:
    """A function that a thread is in until the test opens it."""

    def __init__(self):
        self.entered = threading.Event()
        self.opened = threading.Event()

    def __call__(self, value=None, error=None):
        self.entered.set()
        assert self.opened.wait(30)
        if error is not None:
            raise error
        return value


def finish(reactor, *calls):
    while not all(call.fired for call in calls):
        reactor.poll(True)


def wait(event):
    return running_scheduler("test").wait(event)


# -- the outcome -----------------------------------------------------------------------------


def test_it_gives_what_the_function_returned_in_another_thread(reactor, crew):
    def function(*args, **kwargs):
        return threading.get_ident(), args, kwargs

    call = reactor.thread(function, (1, 2), {"three": 3}, crew)
    call.start()
    finish(reactor, call)

    ident, args, kwargs = call.outcome()
    assert ident != threading.get_ident()
    assert (args, kwargs) == ((1, 2), {"three": 3})


def test_it_raises_what_the_function_raised_each_time_with_its_own_traceback(reactor, crew):
    def function():
        raise LookupError("in the thread")

    call = reactor.thread(function, crew=crew)
    call.start()
    finish(reactor, call)

    lengths = []
    for _ in range(3):
        with pytest.raises(LookupError, match="in the thread") as caught:
            call.outcome()
        lengths.append(len(caught.traceback))
        assert caught.traceback[-1].name == "function"
    assert len(set(lengths)) == 1


def test_it_does_not_begin_before_it_is_started(reactor, crew):
    called = []

    call = reactor.thread(called.append, (1,), None, crew)
    reactor.poll(False)
    before = list(called)
    call.start()
    finish(reactor, call)

    assert (before, called) == ([], [1])


def test_begun_it_is_called_without_anybody_waiting_and_counts_for_nothing(reactor, crew):
    gate = Gate()

    call = reactor.thread(gate, ("value",), None, crew)
    call.begin()
    assert gate.entered.wait(30)
    counted = reactor.active, reactor.awaited_calls
    gate.opened.set()
    call.start()
    finish(reactor, call)

    assert (counted, call.outcome()) == ((0, 0), "value")


def test_it_is_called_once_however_often_it_is_begun_and_started(reactor, crew):
    called = []

    call = reactor.thread(called.append, (1,), None, crew)
    for _ in range(3):
        call.begin()
        call.start()
    finish(reactor, call)
    call.start()

    assert (called, reactor.active, reactor.awaited_calls) == ([1], 0, 0)


def test_contextvars_travel_and_do_not_come_back(reactor, crew):
    variable = contextvars.ContextVar("variable", default="default")

    def function():
        seen = variable.get()
        variable.set("of the thread")
        return seen

    token = variable.set("of the caller")
    call = reactor.thread(function, crew=crew)
    variable.reset(token)
    call.start()
    finish(reactor, call)

    assert (call.outcome(), variable.get()) == ("of the caller", "default")


def test_a_function_that_leaves_another_context_entered_is_an_error(reactor, crew):
    import ctypes

    def function():
        other = contextvars.copy_context()
        ctypes.pythonapi.PyContext_Enter(ctypes.py_object(other))

    call = reactor.thread(function, crew=crew)
    call.start()
    finish(reactor, call)

    with pytest.raises(RuntimeError, match="cannot exit context"):
        call.outcome()


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_errors_that_are_no_exceptions_come_out_too(reactor, crew, kind):
    def function():
        raise kind

    call = reactor.thread(function, crew=crew)
    call.start()
    finish(reactor, call)

    with pytest.raises(kind):
        call.outcome()


def test_what_is_no_function_is_refused(reactor):
    with pytest.raises(TypeError, match="5 is no function to call"):
        reactor.thread(5)


# -- dropping and withdrawing --------------------------------------------------------------


def test_one_that_nobody_waits_for_any_more_leaves_the_queue(reactor):
    crew, gate, called = Crew(1), Gate(), []
    first = reactor.thread(gate, crew=crew)
    dropped = reactor.thread(called.append, ("dropped",), None, crew)
    second = reactor.thread(called.append, ("second",), None, crew)
    for call in (first, dropped, second):
        call.start()

    assert gate.entered.wait(30)
    dropped.stop()
    gate.opened.set()
    finish(reactor, first, second)
    again = dropped.fired
    dropped.start()
    finish(reactor, dropped)

    assert (again, called) == (False, ["second", "dropped"])
    assert (crew.busy, crew.queued, reactor.active) == (0, 0, 0)


def test_one_that_was_begun_stays_in_the_queue(reactor):
    crew, gate, called = Crew(1), Gate(), []
    first = reactor.thread(gate, crew=crew)
    kept = reactor.thread(called.append, ("kept",), None, crew)
    first.start()
    kept.begin()
    kept.start()

    kept.stop()
    gate.opened.set()
    finish(reactor, first)
    kept.start()
    finish(reactor, kept)

    assert called == ["kept"]


def test_a_withdrawn_one_is_never_called_and_who_waits_is_told(reactor):
    crew, gate, called = Crew(1), Gate(), []
    first = reactor.thread(gate, crew=crew)
    withdrawn = reactor.thread(called.append, ("withdrawn",), None, crew)
    first.start()
    withdrawn.start()
    assert gate.entered.wait(30)

    could = withdrawn.withdraw(), withdrawn.withdraw(), first.withdraw()
    gate.opened.set()
    finish(reactor, first)
    with pytest.raises(Cancelled, match="append was cancelled before it was called"):
        withdrawn.outcome()

    assert (could, called) == ((True, False, False), [])
    assert (reactor.active, reactor.awaited_calls) == (0, 0)


def test_a_cancelled_wait_leaves_a_running_function_behind_at_once(crew):
    gate = Gate()

    def main():
        call = running_scheduler("test").reactor.thread(gate, crew=crew)
        waiting = trueasync.spawn(wait, call)
        trueasync.suspend()
        assert gate.entered.wait(30)
        waiting.cancel()
        with pytest.raises(Cancelled):
            waiting.result()
        return call.fired

    fired = trueasync.run(main)
    gate.opened.set()

    assert not fired


# -- errors nobody takes -------------------------------------------------------------------


def test_an_error_nobody_asks_for_goes_to_the_hook(reactor, crew, unraisable):
    error = LookupError("nobody asks")
    gate = Gate()

    call = reactor.thread(gate, (None, error), None, crew)
    call.start()
    gate.opened.set()
    finish(reactor, call)
    before = list(unraisable)
    del call
    gc.collect()

    assert (before, unraisable) == ([], [error])


def test_an_error_after_everybody_has_left_goes_to_the_hook(reactor, crew, unraisable):
    error = LookupError("too late")
    gate, ended = Gate(), threading.Event()

    call = reactor.thread(gate, (None, error), None, crew)
    call.on_end = ended.set
    call.start()
    assert gate.entered.wait(30)
    call.stop()
    del call
    gate.opened.set()
    assert ended.wait(30)
    while not unraisable:
        reactor.poll(False)

    assert unraisable == [error]


def test_an_error_after_the_reactor_was_closed_goes_to_the_hook(crew, unraisable):
    reactor = UvReactor()
    error = LookupError("after the end")
    gate, told = Gate(), threading.Event()
    sys.unraisablehook = lambda args: (unraisable.append(args.exc_value), told.set())

    call = reactor.thread(gate, (None, error), None, crew)
    call.begin()
    assert gate.entered.wait(30)
    reactor.close()
    del call
    gate.opened.set()
    assert told.wait(30)

    assert unraisable == [error]


def test_an_error_that_was_asked_for_does_not_go_to_the_hook(reactor, crew, unraisable):
    call = reactor.thread(lambda: 1 / 0, crew=crew)
    call.start()
    finish(reactor, call)

    with pytest.raises(ZeroDivisionError):
        call.outcome()
    del call
    gc.collect()

    assert unraisable == []


# -- references ----------------------------------------------------------------------------


class Thing:
    """Something that can be watched while it goes."""


def test_arguments_result_and_error_are_let_go_of(reactor, crew):
    alive = weakref.WeakSet()

    def make():
        alive.add(thing := Thing())
        return thing

    def fail(argument):
        error = LookupError()
        error.thing = make()
        raise error

    def calls():
        good = reactor.thread(lambda argument: make(), (make(),), {}, crew)
        bad = reactor.thread(fail, (make(),), {}, crew)
        for call in (good, bad):
            call.start()
        finish(reactor, good, bad)
        good.outcome()
        with pytest.raises(LookupError):
            bad.outcome()

    calls()
    gc.collect()

    assert list(alive) == []


def test_the_arguments_go_when_the_function_has_ended_not_with_the_call(reactor, crew):
    thing = Thing()
    alive = weakref.ref(thing)

    call = reactor.thread(lambda argument: None, (thing,), None, crew)
    del thing
    call.start()
    finish(reactor, call)

    assert alive() is None


def test_many_calls_leave_no_reference_behind(reactor):
    crew = Crew(4)

    def many(count):
        for _ in range(count):
            call = reactor.thread(int, ("7",), None, crew)
            call.start()
            finish(reactor, call)
            assert call.outcome() == 7

    many(100)
    before = sys.getrefcount(int), sys.getrefcount(crew), sys.getrefcount(reactor)
    many(3000)

    after = sys.getrefcount(int), sys.getrefcount(crew), sys.getrefcount(reactor)
    assert all(abs(new - old) < 10 for new, old in zip(after, before, strict=True))

"""Nothing is kept longer than its owner: arguments, results, functions, contextvars, others."""

import contextvars
import gc
import sys
import weakref

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run


class Thing:
    """Something that can be watched."""


@pytest.fixture(autouse=True)
def _no_collector():
    """What goes must go by itself, at once."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def wait(event):
    running_scheduler("test").wait(event)


def test_the_arguments_go_when_the_function_has_returned():
    def main():
        positional, named = Thing(), Thing()
        gone = [weakref.ref(positional), weakref.ref(named)]
        coroutine = trueasync.spawn(lambda a, *, b: None, positional, b=named)
        del positional, named
        coroutine.result()
        return [ref() for ref in gone], coroutine.done()

    assert run(main) == ([None, None], True)


def test_the_function_goes_when_it_has_returned():
    def main():
        def body():
            pass

        gone = weakref.ref(body)
        coroutine = trueasync.spawn(body)
        del body
        coroutine.result()
        return gone(), coroutine.name.endswith("body")

    assert run(main) == (None, True)


def test_a_callable_object_goes_when_it_has_returned():
    class Job:
        def __call__(self):
            pass

    def main():
        job = Job()
        gone = weakref.ref(job)
        coroutine = trueasync.spawn(job)
        del job
        coroutine.result()
        return gone(), coroutine.done()

    assert run(main) == (None, True)


def test_the_result_goes_with_the_coroutine():
    def main():
        coroutine = trueasync.spawn(Thing)
        gone = weakref.ref(coroutine.result())
        before = gone() is not None
        del coroutine
        return before, gone()

    assert run(main) == (True, None)


def test_the_result_nobody_wanted_goes_at_once():
    def main():
        gone = []

        def body():
            thing = Thing()
            gone.append(weakref.ref(thing))
            return thing

        trueasync.spawn(body)
        trueasync.suspend()
        return gone[0]()

    assert run(main) is None


def test_the_error_and_its_frames_go_with_the_coroutine():
    def main():
        gone = []

        def fails():
            thing = Thing()
            gone.append(weakref.ref(thing))
            raise ValueError

        coroutine = trueasync.spawn(fails)
        with pytest.raises(ValueError, match=r"^$"):
            coroutine.result()
        before = gone[0]() is not None
        del coroutine
        gc.collect()  # an error that was raised here again is in a cycle with our frame
        return before, gone[0]()

    assert run(main) == (True, None)


def test_the_frames_of_a_cancelled_coroutine_go_at_once():
    def main():
        thing = Thing()
        gone = weakref.ref(thing)

        def body(argument):
            trueasync.sleep(10)

        coroutine = trueasync.spawn(body, thing)
        del thing
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return gone(), coroutine.cancelled()

    assert run(main) == (None, True)


def test_the_arguments_of_one_cancelled_before_the_start_go_at_once():
    def main():
        thing = Thing()
        gone = weakref.ref(thing)
        coroutine = trueasync.spawn(print, thing)
        del thing
        coroutine.cancel()
        return gone(), coroutine.cancelled()

    assert run(main) == (None, True)


def test_the_contextvars_go_with_the_run_of_the_coroutine():
    variable = contextvars.ContextVar("variable")

    def main():
        thing = Thing()
        gone = weakref.ref(thing)

        def body(argument):
            variable.set(argument)

        coroutine = trueasync.spawn(body, thing)
        del thing
        coroutine.result()
        return gone(), coroutine.done()

    assert run(main) == (None, True)


def test_an_idle_context_keeps_nothing_of_the_last_coroutine():
    def main():
        thing = Thing()
        gone = weakref.ref(thing)

        def body(argument):
            local = argument
            trueasync.suspend()
            return local

        trueasync.spawn(body, thing)
        del thing
        trueasync.suspend()
        trueasync.suspend()
        return gone(), trueasync.stats()["contexts_idle"]

    assert run(main) == (None, 1)


def test_a_context_taken_in_place_keeps_nothing_of_the_last_coroutine():
    def main():
        thing = Thing()
        gone = weakref.ref(thing)
        seen = []

        trueasync.spawn(lambda argument: argument, thing)
        trueasync.spawn(lambda: seen.append(gone()))
        del thing
        trueasync.suspend()
        return seen

    assert run(main) == [None]


def test_a_suspended_coroutine_keeps_no_other_alive():
    # One frame that remembered whom it switched to would keep that coroutine until it
    # runs again.
    def main():
        event = Event()
        gone = []

        def sleeper():
            wait(event)

        def ends():
            thing = Thing()
            gone.append(weakref.ref(thing))
            return thing

        for _ in range(5):
            trueasync.spawn(sleeper)
            trueasync.spawn(ends)
        trueasync.sleep(1)
        kept = [ref() for ref in gone]
        event.fire()
        return kept

    assert run(main) == [None] * 5


def test_home_keeps_nobody_alive_while_it_waits():
    def main():
        gone = []

        def ends():
            thing = Thing()
            gone.append(weakref.ref(thing))
            trueasync.sleep(1)
            return thing

        trueasync.spawn(ends)
        trueasync.sleep(2)
        return gone[0]()

    assert run(main) is None


def test_an_event_keeps_no_waiter_after_the_wait():
    def main():
        event = Event()
        thing = Thing()
        gone = weakref.ref(thing)

        def body(argument):
            scheduler = running_scheduler("test")
            scheduler.wait(event, scheduler.reactor.timer(1))

        trueasync.spawn(body, thing)
        del thing
        trueasync.sleep(2)
        return gone(), event.fired

    assert run(main) == (None, False)


def test_a_waker_does_not_keep_its_coroutine_after_a_fast_return():
    def main():
        fired = Event()
        fired.fire()
        me = trueasync.current_coroutine()
        before = sys.getrefcount(me)
        for _ in range(100):
            wait(fired)
        return sys.getrefcount(me) - before

    assert run(main) == 0


def test_spawn_and_join_balance_the_references_they_take():
    def job():
        trueasync.suspend()

    def main():
        argument = Thing()
        me = trueasync.current_coroutine()
        trueasync.spawn(lambda it: job(), argument).result()
        before = [sys.getrefcount(item) for item in (argument, me, job)]
        for _ in range(100):
            trueasync.spawn(lambda it: job(), argument).result()
        return before == [sys.getrefcount(item) for item in (argument, me, job)]

    assert run(main)


def test_nothing_of_a_run_is_left_after_it():
    things = []

    def main():
        thing = Thing()
        things.append(weakref.ref(thing))

        def body(argument):
            trueasync.sleep(1)
            return argument

        coroutines = [trueasync.spawn(body, thing) for _ in range(3)]
        return [coroutine.result() for coroutine in coroutines] and None

    run(main)

    gc.collect()
    assert things[0]() is None


def test_a_chain_of_100_000_results_can_be_let_go_of():
    def main():
        def link(n):
            return trueasync.spawn(link, n - 1) if n else None

        first = trueasync.spawn(link, 100_000)
        trueasync.sleep(1)
        del first

    run(main)


def test_nothing_is_kept_under_any_schedule(seeds):
    def main():
        gone = []

        def body(thing, n):
            gone.append(weakref.ref(thing))
            for _ in range(n % 4):
                trueasync.suspend()
            trueasync.sleep(n % 3)
            if n % 5 == 0:
                trueasync.current_coroutine().cancel()
                trueasync.suspend()
            return thing

        for n in range(15):
            trueasync.spawn(body, Thing(), n)
        trueasync.sleep(10)
        return [ref() for ref in gone]

    for _ in seeds:
        assert run(main) == [None] * 15

"""A coroutine as its owner sees it: states, result, names, places."""

import functools
import inspect

import pytest

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual


def wait(event):
    running_scheduler("test").wait(event)


def here():
    """The file:line of the caller."""
    frame = inspect.currentframe().f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def test_the_result_is_what_the_function_returned(run):
    def main():
        return trueasync.spawn(lambda a, *, b: a + b, 1, b=2).result()

    assert run(main) == 3


def test_arguments_called_self_or_function_reach_the_function(run):
    def main():
        return trueasync.spawn(lambda **named: named, function=1, self=2, name=3).result()

    assert run(main) == {"function": 1, "self": 2, "name": 3}


def test_the_result_may_be_asked_for_again_and_by_others(run):
    def main():
        value = object()
        coroutine = trueasync.spawn(lambda: value)
        askers = [trueasync.spawn(coroutine.result) for _ in range(3)]
        results = [asker.result() for asker in askers] + [coroutine.result(), coroutine.result()]
        return all(result is value for result in results)

    assert run(main)


def test_the_result_of_a_finished_coroutine_can_be_read_outside_the_run():
    coroutine = run_virtual(lambda: trueasync.spawn(lambda: "value"))

    assert coroutine.result() == "value"


def test_a_coroutine_goes_through_its_states():
    def main():
        event = Event()
        states = []

        def body():
            states.append(coroutine.state)
            wait(event)
            states.append(coroutine.state)

        coroutine = trueasync.spawn(body)
        states.append(coroutine.state)
        trueasync.suspend()
        states.append(coroutine.state)
        event.fire()
        states.append(coroutine.state)
        trueasync.suspend()
        states.append(coroutine.state)
        return states

    assert run_virtual(main) == ["new", "running", "waiting", "ready", "running", "done"]


def test_a_coroutine_that_lets_others_go_first_is_ready():
    def main():
        coroutine = trueasync.spawn(trueasync.suspend)
        trueasync.suspend()
        return coroutine.state

    assert run_virtual(main) == "ready"


def test_done_is_true_for_one_that_finished_failed_or_was_cancelled():
    def main():
        finished = trueasync.spawn(lambda: None)
        failed = trueasync.spawn(lambda: 1 / 0)
        cancelled = trueasync.spawn(lambda: None)
        cancelled.cancel()
        waiting = trueasync.spawn(trueasync.sleep, 1)
        trueasync.suspend()
        with pytest.raises(ZeroDivisionError):
            failed.result()
        answer = [c.done() for c in (finished, failed, cancelled, waiting)]
        return answer, [c.cancelled() for c in (finished, failed, cancelled, waiting)]

    assert run_virtual(main) == ([True, True, True, False], [False, False, True, False])


def test_spawn_location_is_the_line_of_the_spawn():
    def main():
        coroutine, place = trueasync.spawn(lambda: None), here()
        return coroutine.spawn_location, place

    found, place = run_virtual(main)
    assert found == place


def test_spawn_location_outlives_the_coroutine_and_its_spawner():
    places = []

    def spawner():
        places.append(here()), trueasync.spawn(trueasync.sleep, 1)
        return trueasync.get_coroutines()[-1]

    def main():
        child = trueasync.spawn(spawner).result()
        child.result()
        return child.spawn_location

    assert run_virtual(main) == places[0]


def test_the_spawn_location_of_main_is_where_run_was_called():
    found, place = run_virtual(lambda: trueasync.current_coroutine().spawn_location), here()

    assert found == place


def test_options_spawn_at_the_line_of_their_spawn():
    def main():
        coroutine, place = trueasync.options(name="x").spawn(lambda: None), here()
        return coroutine.spawn_location, place

    found, place = run_virtual(main)
    assert found == place


def test_suspend_location_is_the_users_line_below_our_own_functions():
    places = []

    def sleeper():
        places.append(here()), trueasync.sleep(1)

    def main():
        coroutine = trueasync.spawn(sleeper)
        before = coroutine.suspend_location
        trueasync.suspend()
        during = coroutine.suspend_location
        coroutine.result()
        return before, during, coroutine.suspend_location

    assert run_virtual(main) == ("", places[0], "")


def test_a_running_coroutine_has_no_suspend_location():
    assert run_virtual(lambda: trueasync.current_coroutine().suspend_location) == ""


def test_waits_for_says_each_thing_in_words():
    class Doorbell(Event):
        pass

    def main():
        scheduler = running_scheduler("test")
        other = trueasync.options(name="other").spawn(trueasync.sleep, 5)
        events = [Doorbell(), other, scheduler.reactor.timer(2.5)]
        waiter = trueasync.spawn(scheduler.wait, events[0], events[1], [events[2]])
        before = waiter.waits_for
        trueasync.suspend()
        during = waiter.waits_for
        waiter.result()
        return before, during, waiter.waits_for

    assert run_virtual(main) == ([], ["doorbell", "the end of other", "a timer of 2.5 s"], [])


def named_at_module_level():
    pass


class Callable:
    def __call__(self):
        pass

    def method(self):
        pass

    def __repr__(self):
        return "Callable()"


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@wrapped
def decorated():
    pass


NAMES = [
    (named_at_module_level, "named_at_module_level"),
    (Callable().method, "Callable.method"),
    (Callable(), "Callable()"),
    (decorated, "decorated"),
    (Callable, "Callable"),
    (len, "len"),
]


@pytest.mark.parametrize(("function", "name"), NAMES, ids=[name for _, name in NAMES])
def test_the_name_is_that_of_the_function_before_and_after_its_end(function, name):
    def main():
        arguments = ("x",) if function is len else ()
        coroutine = trueasync.spawn(function, *arguments)
        before = coroutine.name
        coroutine.result()
        return before, coroutine.name

    assert run_virtual(main) == (name, name)


def test_a_function_that_is_renamed_does_not_rename_the_coroutine_that_has_ended():
    def job():
        pass

    def main():
        coroutine = trueasync.spawn(job)
        coroutine.result()
        before = coroutine.name
        job.__qualname__ = "something else"
        return before == coroutine.name

    assert run_virtual(main)


def test_a_partial_has_a_name():
    def main():
        return trueasync.spawn(functools.partial(named_at_module_level)).name

    assert "named_at_module_level" in run_virtual(main)


def test_options_give_a_name_that_stays():
    def main():
        coroutine = trueasync.options(name="db").spawn(lambda: None)
        before = coroutine.name
        coroutine.result()
        return before, coroutine.name

    assert run_virtual(main) == ("db", "db")


def test_options_refuse_a_priority_that_does_not_exist():
    with pytest.raises(ValueError, match="7"):
        trueasync.options(priority=7)


def test_the_repr_names_it_its_state_and_both_places():
    places = {}

    def sleeper():
        places["suspend"] = here()
        trueasync.suspend()

    def main():
        coroutine, places["spawn"] = trueasync.options(name="db").spawn(sleeper), here()
        new = repr(coroutine)
        trueasync.suspend()
        ready = repr(coroutine)
        coroutine.result()
        return new, ready, repr(coroutine)

    new, ready, done = run_virtual(main)
    file, _, line = places["suspend"].rpartition(":")
    suspended = f"{file}:{int(line) + 1}"
    assert new == f"<Coroutine db new spawned at {places['spawn']}>"
    assert ready == f"<Coroutine db ready spawned at {places['spawn']}, suspended at {suspended}>"
    assert done == f"<Coroutine db done spawned at {places['spawn']}>"


def test_get_coroutines_lists_those_that_live_the_oldest_first():
    def main():
        first = trueasync.spawn(trueasync.sleep, 2)
        second = trueasync.spawn(trueasync.sleep, 1)
        third = trueasync.spawn(trueasync.sleep, 3)
        second.result()
        return trueasync.get_coroutines() == [trueasync.current_coroutine(), first, third]

    assert run_virtual(main)


def test_coroutines_are_numbered_in_the_order_of_spawning():
    def main():
        return [trueasync.spawn(lambda: None).number for _ in range(3)]

    assert run_virtual(main) == [1, 2, 3]


def test_a_coroutine_type_can_be_subscripted_in_annotations():
    assert trueasync.Coroutine[int].__args__ == (int,)


def test_a_coroutine_cannot_be_made_by_hand():
    with pytest.raises(trueasync.UsageError, match="spawn"):
        trueasync.Coroutine()

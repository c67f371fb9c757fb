"""Listeners of an event: told in order, each once, whoever comes, goes or raises meanwhile."""

import time

import pytest

from trueasync.events.event import Event, Listener


class Named(Listener):
    """Writes its name down when told, and then does what it was given."""

    def __init__(self, name, heard, then=lambda: None):
        self.name = name
        self.heard = heard
        self.then = then

    def notify(self, event):
        self.heard.append(self.name)
        self.then()
        return True


def listeners(event, names, heard):
    made = {name: Named(name, heard) for name in names}
    for listener in made.values():
        event.add_listener(listener)
    return made


def test_listeners_are_told_in_the_order_they_came():
    event, heard = Event(), []
    listeners(event, "abcd", heard)

    event.fire()

    assert heard == ["a", "b", "c", "d"]


@pytest.mark.parametrize("gone", ["a", "b", "c", "d", "ab", "cd", "ad", "abc", "bcd", "abcd"])
def test_a_listener_that_was_removed_is_not_told_and_the_rest_keep_their_order(gone):
    event, heard = Event(), []
    made = listeners(event, "abcd", heard)

    for name in gone:
        event.remove_listener(made[name])
    event.fire()

    assert heard == [name for name in "abcd" if name not in gone]


def test_a_listener_that_comes_after_the_first_has_gone_stands_behind_the_others():
    event, heard = Event(), []
    made = listeners(event, "abc", heard)

    event.remove_listener(made["a"])
    listeners(event, "d", heard)
    event.fire()

    assert heard == ["b", "c", "d"]


def test_removing_a_listener_twice_does_not_touch_the_others():
    event, heard = Event(), []
    made = listeners(event, "abcdef", heard)

    for _ in range(5):
        event.remove_listener(made["c"])
    event.fire()

    assert heard == ["a", "b", "d", "e", "f"]


def test_removing_a_listener_that_was_never_added_does_not_touch_the_others():
    event, heard = Event(), []
    listeners(event, "abc", heard)

    event.remove_listener(Named("stranger", heard))
    event.fire()

    assert heard == ["a", "b", "c"]


@pytest.mark.parametrize("leaver", ["a", "b"])
def test_a_listener_that_goes_while_the_event_fires_is_not_told(leaver):
    event, heard = Event(), []
    made = {}
    made["a"] = Named("a", heard, lambda: event.remove_listener(made["c"]))
    made["b"] = Named("b", heard)
    made["c"] = Named("c", heard)
    order = [leaver, *(name for name in "abc" if name != leaver)]
    for name in order:
        event.add_listener(made[name])

    event.fire()

    assert heard == [name for name in order if name != "c"]


def test_a_listener_may_remove_itself_while_it_is_told():
    event, heard = Event(), []
    made = {}
    for name in "abc":
        made[name] = Named(name, heard, lambda name=name: event.remove_listener(made[name]))
        event.add_listener(made[name])

    event.fire()

    assert heard == ["a", "b", "c"]


@pytest.mark.parametrize("caller", ["a", "b"])
def test_a_listener_that_comes_while_the_event_fires_is_told_too_and_once(caller):
    event, heard = Event(), []
    late = Named("late", heard)
    for name in "ab":
        then = (lambda: event.add_listener(late)) if name == caller else (lambda: None)
        event.add_listener(Named(name, heard, then))

    event.fire()

    assert sorted(heard) == ["a", "b", "late"]


def test_an_event_fired_again_by_its_own_listener_tells_nobody_twice():
    event, heard = Event(), []
    event.add_listener(Named("a", heard, lambda: event.fire("again")))
    event.add_listener(Named("b", heard))

    event.fire("first")

    assert heard == ["a", "b"]
    assert event.outcome() == "first"


def fail():
    raise ValueError("a listener fails")


@pytest.mark.parametrize("culprit", [0, 1, 3])
def test_a_listener_that_raises_does_not_keep_the_others_from_being_told(culprit):
    event, heard = Event(), []
    for index in range(4):
        event.add_listener(Named(index, heard, fail if index == culprit else lambda: None))

    with pytest.raises(ValueError, match="a listener fails"):
        event.fire()

    assert heard == [0, 1, 2, 3]


def test_of_several_listeners_that_raise_the_first_failure_is_raised():
    event, heard = Event(), []

    def fail_with(error):
        def then():
            raise error

        return then

    for error in (KeyError("first"), ValueError("second"), OSError("third")):
        event.add_listener(Named(type(error), heard, fail_with(error)))

    with pytest.raises(KeyError, match="first"):
        event.fire()

    assert heard == [KeyError, ValueError, OSError]


def test_after_a_listener_has_raised_the_outcome_is_there():
    event = Event()
    event.add_listener(Named("a", [], fail))

    with pytest.raises(ValueError, match="a listener fails"):
        event.fire("value")

    assert event.fired
    assert event.outcome() == "value"


def test_a_listener_must_say_what_to_do():
    event = Event()
    event.add_listener(Listener())

    with pytest.raises(NotImplementedError):
        event.fire()


def seconds_to_withdraw(count, order):
    event = Event()
    made = [Named(index, []) for index in range(count)]
    for listener in made:
        event.add_listener(listener)

    start = time.process_time()
    for listener in order(made):
        event.remove_listener(listener)
    return time.process_time() - start


@pytest.mark.parametrize("order", [iter, reversed], ids=["oldest first", "newest first"])
def test_withdrawing_many_listeners_is_not_quadratic(order):
    few = min(seconds_to_withdraw(5_000, order) for _ in range(5))
    many = min(seconds_to_withdraw(100_000, order) for _ in range(3))

    # 20 times as many; quadratic would be 400 times as long.
    assert many < few * 100 + 0.01

"""Each combinator x each kind of thing x when and how that ends; the kinds are in kinds.py."""

import concurrent.futures
import itertools
import threading

import pytest
from kinds import KINDS

import trueasync
import trueasync.testing
from trueasync import Cancelled, sleep, spawn
from trueasync.events.event import Event

CANCELLATIONS = (Cancelled, concurrent.futures.CancelledError)


class Broken(Exception):
    pass


class EndsAnother(Event):
    """Ends another thing at the moment somebody begins to wait for this."""

    def __init__(self, end):
        self.end = end

    def arm(self):
        self.end()


# combinator(things): things are {"a": the one in question, "b": an event that comes later}.
# Expected with a value of a, and with an error of a; `b` stands for the value of b.
RAISES = object()
COMBINATORS = {
    "await_": (lambda things: trueasync.await_(things["a"]), "a", RAISES),
    "await_all": (
        trueasync.await_all,
        ({"a": "a", "b": "b"}, {}),
        ({"b": "b"}, {"a": RAISES}),
    ),
    "await_all_or_fail": (trueasync.await_all_or_fail, {"a": "a", "b": "b"}, RAISES),
    "await_any": (trueasync.await_any, ({"a": "a"}, {}), ({}, {"a": RAISES})),
    "await_any_or_fail": (trueasync.await_any_or_fail, "a", RAISES),
    "await_first_success": (trueasync.await_first_success, "a", "b"),
    "await_any_of(1)": (
        lambda things: trueasync.await_any_of(1, things),
        ({"a": "a"}, {}),
        ({"b": "b"}, {"a": RAISES}),
    ),
    "await_any_of(2)": (
        lambda things: trueasync.await_any_of(2, things),
        ({"a": "a", "b": "b"}, {}),
        ({"b": "b"}, {"a": RAISES}),
    ),
    "await_any_of_or_fail(1)": (
        lambda things: trueasync.await_any_of_or_fail(1, things),
        {"a": "a"},
        RAISES,
    ),
    "await_any_of_or_fail(2)": (
        lambda things: trueasync.await_any_of_or_fail(2, things),
        {"a": "a", "b": "b"},
        RAISES,
    ),
    "race": (trueasync.race, "a", RAISES),
    "select": (
        lambda things: trueasync.select(*reversed(things.values()))[1],
        "a",
        RAISES,
    ),
}

MOMENTS = ["before", "while it is asked", "later"]
ENDS = ["succeed", "fail", "cancel"]


def cases():
    for kind, end, name, moment in itertools.product(KINDS, ENDS, COMBINATORS, MOMENTS):
        if getattr(kind, end) is None:
            continue
        if moment == "while it is asked" and name in ("await_", "select"):
            continue  # it asks for one thing, or in an order that is drawn
        for reactor in kind.on:
            label = f"{name}-{kind.name}-{end}-{moment}-{reactor}"
            yield pytest.param(kind, end, name, moment, reactor, id=label)


def matches(found, expected, value, end):
    """Whether `found` is `expected`, with "a" and RAISES standing for what `a` has."""
    if expected is RAISES:
        return isinstance(found, Broken if end == "fail" else CANCELLATIONS)
    if isinstance(expected, tuple):
        return all(matches(*pair, value, end) for pair in zip(found, expected, strict=True))
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            matches(found[key], expected[key], value, end) for key in found
        )
    return found == (value if expected == "a" else expected)


def end_of(kind, end, thing):
    if end == "fail":
        kind.fail(thing, Broken("of the test"))
    else:
        getattr(kind, end)(thing)


@pytest.mark.parametrize(("kind", "end", "name", "moment", "reactor"), list(cases()))
def test_it_gives_what_became_of_it(kind, end, name, moment, reactor):
    run = trueasync.testing.run if reactor == "virtual" else trueasync.run
    combinator, of_a_value, of_an_error = COMBINATORS[name]
    expected = of_a_value if end == "succeed" else of_an_error

    def main():
        thing, other = kind.make(), Event()
        things = {"a": thing, "b": other}
        if moment == "before":
            end_of(kind, end, thing)
            sleep(0.001)
        elif moment == "while it is asked":
            things = {"trips": EndsAnother(lambda: end_of(kind, end, thing)), **things}
        else:
            spawn(lambda: (sleep(0.001), end_of(kind, end, thing)))
        if needs_the_others(expected):
            spawn(end_others, thing, [things[key] for key in ("b", "trips") if key in things])
        try:
            found = combinator(things)
        except (Broken, *CANCELLATIONS) as error:
            found = error
        assert matches(without_trips(found), expected, kind.value, end), found
        other.fire("b")

    run(main)
    for helper in threading.enumerate():
        if helper.name.startswith("trueasync waits"):
            helper.join()


def end_others(thing, others):
    trueasync.await_all([thing])
    sleep(0.001)
    for other in others:
        other.fire("b")


def needs_the_others(expected):
    """Whether the combinator is to go on until the others have ended."""
    if isinstance(expected, dict):
        return "b" in expected
    if isinstance(expected, tuple):
        return any(needs_the_others(part) for part in expected)
    return expected == "b"


def without_trips(found):
    if isinstance(found, tuple):
        return tuple(without_trips(part) for part in found)
    if isinstance(found, dict):
        return {key: value for key, value in found.items() if key != "trips"}
    return found

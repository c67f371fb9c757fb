"""await_ and its family: keys, leftovers, tokens, and what costs no switch."""

import concurrent.futures
import sys
import threading

import pytest

import trueasync
from trueasync import (
    Cancelled,
    OperationCancelled,
    await_,
    await_all,
    await_all_or_fail,
    await_any,
    await_any_of,
    await_any_of_or_fail,
    await_any_or_fail,
    await_first_success,
    clock,
    race,
    scope,
    sleep,
    spawn,
    suspend,
    timeout,
)
from trueasync.events.event import Event
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


def after(seconds, value=None, error=None):
    sleep(seconds)
    if error is not None:
        raise error
    return value


def fired(value=None, error=None):
    event = Event()
    event.fire(value, error)
    return event


def switches():
    return trueasync.stats()["switches"]


# -- keys --------------------------------------------------------------------------------


def test_a_mapping_keeps_its_keys_in_its_order():
    def main():
        things = {"slow": spawn(after, 2, "s"), "fast": spawn(after, 1, "f")}
        return list(await_all_or_fail(things).items())

    assert run_virtual(main) == [("slow", "s"), ("fast", "f")]


def test_anything_else_gives_a_list_in_its_order():
    def main():
        things = [spawn(after, 2, "s"), spawn(after, 1, "f")]
        return await_all_or_fail(things), await_all_or_fail(iter(things))

    assert run_virtual(main) == (["s", "f"], ["s", "f"])


def test_without_keys_results_and_errors_have_positions():
    def main():
        error = OSError("broken")
        results, errors = await_all([spawn(after, 2, "s"), spawn(after, 1, error=error)])
        return results, errors == {1: error}

    assert run_virtual(main) == ({0: "s"}, True)


def test_one_thing_under_two_keys_counts_for_both():
    def main():
        one = spawn(after, 1, "x")
        return await_all_or_fail({"a": one, "b": one}), await_all([one, one])

    assert run_virtual(main) == ({"a": "x", "b": "x"}, ({0: "x", 1: "x"}, {}))


def test_any_of_or_fail_gives_them_in_the_order_in_which_they_were_done():
    def main():
        things = {n: spawn(after, n, n) for n in (3, 1, 2)}
        return list(await_any_of_or_fail(2, things)), await_any_of_or_fail(9, things.values())

    assert run_virtual(main) == ([1, 2], [1, 2, 3])


# -- nothing, and too little -------------------------------------------------------------


def test_all_of_nothing_is_nothing():
    def main():
        return await_all([]), await_all_or_fail({}), await_any_of(0, []), await_any_of(2, [])

    assert run_virtual(main) == (({}, {}), {}, ({}, {}), ({}, {}))


@pytest.mark.parametrize("call", [await_any, await_any_or_fail, await_first_success, race])
def test_the_first_of_nothing_is_refused(call):
    def main():
        with pytest.raises(ValueError, match=rf"{call.__name__}\(\) of nothing"):
            call([])

    run_virtual(main)


def test_none_of_them_is_there_at_once():
    def main():
        one = spawn(after, 5)
        found = await_any_of(0, [one])
        return found, clock()

    assert run_virtual(main) == (({}, {}), 0)


def test_less_than_none_is_refused():
    def main():
        with pytest.raises(ValueError, match="0 or more, not -1"):
            await_any_of(-1, [])

    run_virtual(main)


@pytest.mark.parametrize("thing", [3, None, len], ids=repr)
def test_what_cannot_be_waited_for_is_refused(thing):
    def main():
        for call in (await_, lambda thing: await_all([thing])):
            with pytest.raises(TypeError, match="nothing one can wait for"):
                call(thing)

    run_virtual(main)


# -- no switch ---------------------------------------------------------------------------


def test_what_is_done_costs_no_switch():
    def main():
        done = [fired("a"), fired("b"), concurrent.futures.Future()]
        done[2].set_result("c")
        spawn(int)
        before = switches()
        await_(done[0]), await_all(done), await_all_or_fail(done), await_any(done)
        await_any_or_fail(done), await_first_success(done), await_any_of(2, done)
        await_any_of_or_fail(2, done), race(done)
        return switches() - before

    assert run_virtual(main) == 0


def test_nothing_stays_armed():
    def main():
        slow = [Event() for _ in range(5)]
        await_any([*slow, spawn(after, 1)])
        with pytest.raises(TimeoutError), timeout(1):
            await_all(slow)
        return [event.starts for event in slow], trueasync.stats()["active_events"]

    assert run_virtual(main) == ([0] * 5, 0)


# -- leftovers ---------------------------------------------------------------------------


LEAVE = {
    "await_all_or_fail": lambda things: await_all_or_fail(things),
    "await_any": await_any,
    "await_any_or_fail": await_any_or_fail,
    "await_any_of": lambda things: await_any_of(2, things),
    "await_any_of_or_fail": lambda things: await_any_of_or_fail(1, things),
}


@pytest.mark.parametrize("name", LEAVE)
def test_leftovers_are_left_alone(name):
    def main():
        with scope(on_error=lambda coroutine, error: True) as s:
            first = s.spawn(after, 1, error=OSError("broken"))
            second, third = s.spawn(after, 2, 2), s.spawn(after, 3, 3)
            try:
                LEAVE[name]([first, second, third])
            except OSError:
                pass
        return second.result(), third.result()

    assert run_virtual(main) == (2, 3)


def test_race_cancels_the_others_and_waits_for_their_end():
    def main():
        cleaned = []

        def loser():
            try:
                sleep(60)
            finally:
                sleep(2)
                cleaned.append(clock())

        losers = [spawn(loser) for _ in range(2)]
        value = race([*losers, spawn(after, 1, "won")])
        return value, cleaned, [one.cancelled() for one in losers]

    assert run_virtual(main) == ("won", [3, 3], [True, True])


def test_race_raises_the_error_of_the_first_and_cancels_the_others():
    def main():
        loser = spawn(sleep, 60)
        with pytest.raises(OSError, match="broken"):
            race([loser, spawn(after, 1, error=OSError("broken"))])
        return loser.cancelled(), clock()

    assert run_virtual(main) == (True, 1)


def test_a_race_that_is_cancelled_cancels_all():
    def main():
        runners = [spawn(sleep, 60) for _ in range(2)]
        racing = spawn(race, runners)
        sleep(1)
        racing.cancel()
        with pytest.raises(Cancelled):
            racing.result()
        suspend()
        return [one.cancelled() for one in runners]

    assert run_virtual(main) == [True, True]


def test_race_leaves_alone_what_cannot_be_cancelled():
    def main():
        event = Event()
        value = race([event, spawn(after, 1, "won")])
        return value, event.fired, event.starts

    assert run_virtual(main) == ("won", False, 0)


def test_the_error_of_a_loser_is_not_lost():
    def main():
        def loser():
            try:
                sleep(60)
            finally:
                raise OSError("while losing")

        race([spawn(loser), spawn(after, 1, "won")])
        sleep(1)

    with pytest.raises(OSError, match="while losing"):
        run_virtual(main)


def test_an_error_that_was_not_asked_for_is_not_lost():
    def main():
        await_any([spawn(after, 1), spawn(after, 2, error=OSError("later"))])
        sleep(60)

    with pytest.raises(OSError, match="later"):
        run_virtual(main)


def test_when_all_fail_there_is_no_first_success():
    def main():
        errors = [OSError("one"), ValueError("two")]
        with pytest.raises(ExceptionGroup, match="none of the things") as raised:
            await_first_success([spawn(after, 1, error=error) for error in errors])
        return list(raised.value.exceptions) == errors

    assert run_virtual(main)


# -- tokens ------------------------------------------------------------------------------

CALLS = {
    "await_": lambda thing, token: await_(thing, token=token),
    "await_all": lambda thing, token: await_all([thing], token=token),
    "await_all_or_fail": lambda thing, token: await_all_or_fail([thing], token=token),
    "await_any": lambda thing, token: await_any([thing], token=token),
    "await_any_or_fail": lambda thing, token: await_any_or_fail([thing], token=token),
    "await_first_success": lambda thing, token: await_first_success([thing], token=token),
    "await_any_of": lambda thing, token: await_any_of(1, [thing], token=token),
    "await_any_of_or_fail": lambda thing, token: await_any_of_or_fail(1, [thing], token=token),
}
TOKENS = {
    "a coroutine": lambda: spawn(after, 1),
    "a failing coroutine": lambda: spawn(after, 1, error=OSError("broken")),
    "a timeout": lambda: timeout(1),
    "an event": lambda: fired(),
}


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("name", CALLS)
def test_a_token_calls_the_wait_off_and_leaves_the_thing_alone(name, token):
    def main():
        thing, stop = spawn(after, 5, "value"), TOKENS[token]()
        with pytest.raises(OperationCancelled, match=rf"{name}\(\) was called off") as raised:
            CALLS[name](thing, stop)
        return raised.value.token is stop, thing.done(), thing.result()

    assert run_virtual(main) == (True, False, "value")


def test_a_token_calls_a_race_off_and_its_things_are_cancelled():
    def main():
        thing = spawn(sleep, 60)
        with pytest.raises(OperationCancelled):
            race([thing], token=spawn(after, 1))
        suspend()
        return thing.cancelled()

    assert run_virtual(main)


def test_the_error_of_a_token_is_the_cause():
    def main():
        with pytest.raises(OperationCancelled) as raised:
            await_(Event(), token=spawn(after, 1, error=OSError("broken")))
        with pytest.raises(OperationCancelled) as late:
            await_(Event(), token=timeout(1))
        return str(raised.value.__cause__), type(late.value.__cause__)

    assert run_virtual(main) == ("broken", TimeoutError)


def test_a_thing_that_is_done_counts_before_its_token():
    def main():
        one = fired("value")
        return await_(one, token=fired()), await_(one, token=one), await_all([one], token=fired())

    assert run_virtual(main) == ("value", "value", ({0: "value"}, {}))


def test_a_thing_may_be_its_own_token():
    def main():
        one = spawn(after, 1, "value")
        return await_(one, token=one)

    assert run_virtual(main) == "value"


def test_one_timeout_may_be_the_token_of_several_calls():
    def main():
        limit = timeout(3)
        await_(spawn(after, 2), token=limit)
        with pytest.raises(OperationCancelled):
            await_(spawn(after, 2), token=limit)
        return clock()

    assert run_virtual(main) == 3


def test_a_call_that_was_called_off_does_not_cancel_the_caller():
    def main():
        with pytest.raises(OperationCancelled):
            await_(Event(), token=fired())
        sleep(1)
        return trueasync.current_coroutine().cancelled(), clock()

    assert run_virtual(main) == (False, 1)


# -- threads -----------------------------------------------------------------------------


def test_a_thread_that_was_not_started_is_refused():
    def main():
        with pytest.raises(RuntimeError, match="has not been started"):
            await_(threading.Thread(target=int))

    run_virtual(main)


def test_a_future_of_a_thread_pool_is_waited_for_while_others_go_on():
    def main():
        ticks = []
        gate = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            future = pool.submit(gate.wait)
            spawn(lambda: (sleep(0.001), ticks.append(1), gate.set()))
            return await_(future), ticks

    assert trueasync.run(main) == (True, [1])

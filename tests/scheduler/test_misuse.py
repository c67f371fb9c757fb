"""What cannot work is refused at the call, and the text says what to do instead."""

import threading

import pytest

import trueasync
from trueasync import UsageError
from trueasync.events.event import Event, Listener
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.microtasks import Microtask
from trueasync.testing import run as run_virtual

OUTSIDE = [
    ("spawn", lambda: trueasync.spawn(int)),
    ("spawn", lambda: trueasync.options(name="x").spawn(int)),
    ("suspend", trueasync.suspend),
    ("sleep", lambda: trueasync.sleep(1)),
    ("sleep", lambda: trueasync.sleep(0)),
    ("current_coroutine", trueasync.current_coroutine),
    ("stats", trueasync.stats),
]


@pytest.mark.parametrize(("name", "call"), OUTSIDE)
def test_a_call_outside_a_run_says_where_it_works(name, call):
    with pytest.raises(UsageError, match=rf"trueasync\.{name}\(\) works inside trueasync.run"):
        call()


@pytest.mark.parametrize(("name", "call"), OUTSIDE)
def test_a_call_from_another_thread_says_where_it_works(run, name, call):
    def main():
        errors = []

        def other_thread():
            try:
                call()
            except UsageError as error:
                errors.append(str(error))

        thread = threading.Thread(target=other_thread)
        thread.start()
        thread.join()
        return errors

    assert f"trueasync.{name}() works inside trueasync.run" in run(main)[0]


def test_outside_a_run_there_are_no_coroutines():
    assert trueasync.get_coroutines() == []


def test_a_switch_handler_cannot_be_added_from_another_thread(run):
    def main():
        coroutine = trueasync.options(name="mine").spawn(trueasync.sleep, 0.001)
        errors = []

        def other_thread():
            try:
                coroutine.add_switch_handler(print)
            except UsageError as error:
                errors.append(str(error))

        thread = threading.Thread(target=other_thread)
        thread.start()
        thread.join()
        return errors

    (error,) = run(main)
    assert error.startswith("add_switch_handler() of mine was called from outside the run")


def test_a_run_inside_a_run_says_to_spawn(run):
    def main():
        with pytest.raises(UsageError, match=r"already going on.*trueasync\.spawn"):
            run(int)
        return trueasync.spawn(lambda: "unharmed").result()

    assert run(main) == "unharmed"


def test_a_run_inside_a_spawned_coroutine_says_to_spawn(run):
    def main():
        coroutine = trueasync.spawn(run, int)
        with pytest.raises(UsageError, match="already going on"):
            coroutine.result()

    run(main)


@pytest.mark.parametrize("thing", [None, 3, "print", object()], ids=repr)
def test_what_cannot_be_called_cannot_be_run_or_spawned(run, thing):
    with pytest.raises(TypeError, match="is no function to call"):
        run(thing)

    def main():
        with pytest.raises(TypeError, match="is no function to call"):
            trueasync.spawn(thing)

    run(main)


@pytest.mark.parametrize("seconds", [-1, -0.001, float("nan"), float("-inf")])
def test_a_sleep_of_no_length_of_time_is_refused(run, seconds):
    def main():
        with pytest.raises(ValueError, match="0 or more seconds"):
            trueasync.sleep(seconds)

    run(main)


def test_a_sleep_of_something_that_is_no_number_is_refused(run):
    def main():
        with pytest.raises(TypeError):
            trueasync.sleep("1")

    run(main)


WAITS = [
    pytest.param(trueasync.suspend, id="suspend"),
    pytest.param(lambda: trueasync.sleep(1), id="sleep"),
    pytest.param(lambda: trueasync.sleep(0), id="sleep(0)"),
    pytest.param(lambda: trueasync.spawn(int).result(), id="result"),
]


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("where", ["suspend", "sleep", "end", "result"])
def test_a_microtask_that_waits_is_refused(wait, where):
    refused = []

    def microtask():
        with pytest.raises(UsageError, match="no coroutine runs"):
            wait()
        refused.append(where)

    def main():
        running_scheduler("test").add_microtask(Microtask(microtask))
        if where == "suspend":
            trueasync.suspend()
        elif where == "sleep":
            trueasync.sleep(1)
        elif where == "result":
            trueasync.spawn(int).result()

    run_virtual(main)
    assert refused == [where]


class Waits(Listener):
    """Waits when it is told, which no listener may."""

    def __init__(self, wait, told):
        self.wait = wait
        self.told = told

    def notify(self, event):
        try:
            self.wait()
        except UsageError as error:
            self.told.append(str(error))
        else:
            self.told.append("it could wait")
        return True


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("others_yield", [False, True])
def test_a_listener_told_by_the_reactor_cannot_wait(run, wait, others_yield):
    def main():
        told = []
        timer = running_scheduler("test").reactor.timer(0)
        timer.add_listener(Waits(wait, told))
        timer.start()
        trueasync.spawn(trueasync.sleep, 0.001)
        if others_yield:
            while not told:
                trueasync.suspend()
        trueasync.sleep(0.001)
        timer.stop()
        return told

    (text,) = run(main)
    assert "no coroutine runs" in text


def test_a_microtask_is_no_coroutine():
    def main():
        seen = []

        def microtask():
            with pytest.raises(UsageError, match="no coroutine runs here"):
                trueasync.current_coroutine()
            seen.append("refused")

        running_scheduler("test").add_microtask(Microtask(microtask))
        trueasync.suspend()
        return seen

    assert run_virtual(main) == ["refused"]


def test_the_wait_of_an_event_that_is_none_is_refused():
    def main():
        with pytest.raises(TypeError):
            running_scheduler("test").wait(None)

    run_virtual(main)


def test_a_coroutine_made_by_hand_does_no_harm():
    with pytest.raises((UsageError, TypeError)):
        trueasync.Coroutine().cancel()


def test_a_coroutine_made_around_its_constructor_does_no_harm(python):
    ended = python(
        "import trueasync\n"
        "made = trueasync.Coroutine.__new__(trueasync.Coroutine)\n"
        "print(repr(made))\n"
        "for call in (made.cancel, made.result):\n"
        "    try:\n"
        "        call()\n"
        "    except Exception as error:\n"
        "        print(type(error).__name__)\n"
    )

    assert ended.returncode == 0, ended.stderr


def test_misuse_leaves_the_run_unharmed(run):
    def main():
        scheduler = running_scheduler("test")
        for wrong in (lambda: trueasync.spawn(None), lambda: run(int), lambda: trueasync.sleep(-1)):
            with pytest.raises((UsageError, TypeError, ValueError)):
                wrong()
        assert scheduler.current is trueasync.current_coroutine()
        stats = trueasync.stats()
        trueasync.sleep(0.001)
        return stats["coroutines"], stats["active_events"], Event().fired

    assert run(main) == (1, 0, False)

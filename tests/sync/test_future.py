"""Future: set once, by any thread; what is derived from it; what nobody has looked at."""

import concurrent.futures
import contextvars
import gc
import threading
import warnings

import pytest

import trueasync
from trueasync import (
    Cancelled,
    DeadlockError,
    Future,
    UsageError,
    await_,
    clock,
    scope,
    select,
    sleep,
    spawn,
    suspend,
)
from trueasync.testing import run as run_virtual


def test_who_waits_gets_what_is_set(run):
    def main():
        future = Future()
        spawn(future.set_result, "value")
        return future.result(), future.done(), future.exception()

    assert run(main) == ("value", True, None)


def test_who_waits_gets_the_error_that_is_set():
    def main():
        future = Future()
        spawn(future.set_exception, OSError("broken"))
        with pytest.raises(OSError, match="broken"):
            future.result()
        return str(future.exception())

    assert run_virtual(main) == "broken"


def test_all_who_wait_get_it():
    def main():
        future = Future()
        askers = [spawn(future.result) for _ in range(5)]
        suspend()
        future.set_result(1)
        return [asker.result() for asker in askers]

    assert run_virtual(main) == [1] * 5


def test_what_is_set_costs_no_switch():
    def main():
        future = Future.with_result("value")
        before = trueasync.stats()["switches"]
        future.result(), future.exception(), await_(future), select(future)
        return trueasync.stats()["switches"] - before

    assert run_virtual(main) == 0


def test_a_future_is_waited_for_no_longer_than_asked():
    def main():
        future = Future(name="answer")
        with pytest.raises(TimeoutError, match="future answer has not finished within 2 s"):
            future.result(timeout=2)
        return clock()

    assert run_virtual(main) == 2


@pytest.mark.parametrize("first", ["set_result", "set_exception", "cancel"])
@pytest.mark.parametrize("second", ["set_result", "set_exception"])
def test_it_is_set_once(first, second):
    calls = {
        "set_result": lambda future: future.set_result(1),
        "set_exception": lambda future: future.set_exception(OSError("broken")),
        "cancel": lambda future: future.cancel(),
    }

    def main():
        future = Future().ignore()
        calls[first](future)
        with pytest.raises(UsageError, match=r"has been set before, at .*test_future.py:\d+"):
            calls[second](future)

    run_virtual(main)


def test_an_exception_must_be_one():
    with pytest.raises(TypeError, match="is no exception"):
        Future().set_exception("broken")


def test_a_class_of_exceptions_will_do():
    future = Future()
    future.set_exception(KeyError)

    assert isinstance(future.exception(), KeyError)


def test_cancelling_tells_those_who_wait():
    def main():
        future = Future(name="answer")
        asker = spawn(future.result)
        suspend()
        answers = future.cancel("enough"), future.cancel()
        with pytest.raises(Cancelled, match="future answer was cancelled"):
            asker.result()
        return answers, future.cancelled(), asker.cancelled()

    assert run_virtual(main) == ((True, False), True, False)


def test_who_waits_for_ever_is_in_a_deadlock_that_names_the_future():
    def main():
        Future(name="answer").result()

    with pytest.raises(DeadlockError, match="for future answer"):
        run_virtual(main)


def test_the_repr_says_what_has_become_of_it():
    def main():
        future, failed = Future(name="a"), Future(name="b").ignore()
        before = repr(future)
        future.set_result(1)
        failed.set_exception(OSError("broken"))
        future.result()
        return before, repr(future), repr(failed)

    assert run_virtual(main) == (
        "<Future future a, waiting>",
        "<Future future a, has a result>",
        "<Future future b, failed: OSError('broken')>",
    )


# -- other threads ----------------------------------------------------------------------------


def test_another_thread_may_set_it(run):
    def main():
        future = Future()
        thread = threading.Thread(target=future.set_result, args=("value",))
        thread.start()
        try:
            return future.result()
        finally:
            thread.join()

    assert run(main) == "value"


def test_a_thread_that_takes_its_time_is_no_deadlock(run):
    def main():
        future, gate = Future(), threading.Event()

        def work():
            gate.wait()
            future.set_result("value")

        thread = threading.Thread(target=work)
        thread.start()
        threading.Timer(0.1, gate.set).start()
        try:
            return future.result()
        finally:
            thread.join()

    assert run(main) == "value"


def test_when_the_threads_have_gone_it_is_a_deadlock(run):
    def main():
        thread = threading.Thread(target=threading.Event().wait, args=(0.05,))
        thread.start()
        try:
            Future(name="answer").result()
        finally:
            thread.join()

    with pytest.raises(DeadlockError, match="for future answer"):
        run(main)


def test_one_made_outside_of_any_run_serves_every_thread(run):
    future = Future()

    def main():
        asker = spawn(await_, future)
        thread = threading.Thread(target=future.set_result, args=("value",))
        suspend()
        thread.start()
        try:
            return asker.result(), future.result()
        finally:
            thread.join()

    assert run(main) == ("value", "value")


def test_threads_wait_for_it_as_for_any_future():
    future = Future()
    got = []
    thread = threading.Thread(target=lambda: got.append(future.result()))
    thread.start()
    future.set_result("value")
    thread.join()

    assert got == ["value"]
    assert concurrent.futures.wait([future]).done == {future}


def test_one_thread_of_many_sets_it(run):
    def main():
        future, refused = Future(), []

        def try_to_set(n):
            try:
                future.set_result(n)
            except UsageError:
                refused.append(n)

        threads = [threading.Thread(target=try_to_set, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        winner = future.result()
        for thread in threads:
            thread.join()
        return sorted([winner, *refused])

    assert run(main) == list(range(8))


# -- derived ----------------------------------------------------------------------------------


def test_map_gives_a_future_of_what_the_function_makes_of_it():
    def main():
        future = Future()
        derived = future.map(lambda value: (sleep(2), value + 1)[1]).map(str)
        spawn(lambda: (sleep(1), future.set_result(41)))
        return derived.result(), clock()

    assert run_virtual(main) == ("42", 3)


def test_an_error_passes_map_by():
    def main():
        called = []
        derived = Future.with_exception(OSError("broken")).map(called.append)
        return str(derived.exception()), called

    assert run_virtual(main) == ("broken", [])


def test_catch_makes_a_result_of_an_error_of_its_kind():
    def main():
        broken = Future.with_exception(OSError("broken"))
        caught = broken.catch(str)
        passed = broken.catch(str, KeyError)
        fine = Future.with_result(7).catch(str)
        return caught.result(), str(passed.exception()), fine.result()

    assert run_virtual(main) == ("broken", "broken", 7)


def test_finally_passes_the_outcome_on_after_its_function():
    def main():
        called = []
        fine = Future.with_result(7).finally_(lambda: called.append(1))
        broken = Future.with_exception(OSError("broken")).finally_(lambda: called.append(2))
        return fine.result(), str(broken.exception()), called

    assert run_virtual(main) == (7, "broken", [1, 2])


def test_an_error_in_finally_takes_the_place_of_the_outcome():
    def main():
        def fail():
            raise ValueError("in finally")

        error = Future.with_exception(OSError("broken")).finally_(fail).exception()
        return str(error), str(error.__context__)

    assert run_virtual(main) == ("in finally", "broken")


def test_derived_functions_are_called_in_the_order_they_came():
    def main():
        future, called = Future(), []
        derived = [future.map(lambda value, n=n: called.append(n)) for n in range(5)]
        future.set_result(None)
        for one in derived:
            one.result()
        return called

    assert run_virtual(main) == [0, 1, 2, 3, 4]


def test_a_long_chain_needs_no_deep_stack():
    def main():
        last = first = Future()
        for _ in range(5000):
            last = last.map(lambda value: value + 1)
        first.set_result(0)
        return last.result()

    assert run_virtual(main) == 5000


def test_the_function_runs_in_the_scope_and_with_the_contextvars_of_the_subscriber():
    variable = contextvars.ContextVar("variable", default="of the one who sets")

    def main():
        future = Future()
        with scope() as s:
            variable.set("of the subscriber")
            derived = future.map(lambda _: (variable.get(), trueasync.current_scope() == s))
            spawn(contextvars.Context().run, future.set_result, None)
        return derived.result()

    assert run_virtual(main) == ("of the subscriber", True)


def test_where_the_scope_has_ended_the_derived_one_fails():
    def main():
        future = Future()
        with scope():
            derived = future.map(str)
        future.set_result(1)
        with pytest.raises(UsageError, match="has ended"):
            derived.result()

    run_virtual(main)


# -- what nobody has looked at ---------------------------------------------------------------------


def warnings_of(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
        gc.collect()
    return [str(one.message) for one in caught if issubclass(one.category, RuntimeWarning)]


def test_a_result_nobody_has_looked_at_is_named_with_both_places():
    (text,) = warnings_of(lambda: Future().set_result(1))

    assert text.startswith("nobody has looked at the result of the future made at ")
    assert text.count("test_future.py:") == 2


def test_an_error_nobody_has_looked_at_is_named():
    (text,) = warnings_of(lambda: Future(name="a").set_exception(OSError("broken")))

    assert text.startswith("nobody has looked at the error OSError('broken') of future a, set at ")


@pytest.mark.parametrize(
    "look",
    [Future.result, Future.ignore, Future.exception, lambda f: f.add_done_callback(str)],
)
def test_what_was_looked_at_gives_no_warning(look):
    assert warnings_of(lambda: look(Future.with_result(1))) == []


def test_one_that_was_cancelled_or_never_set_gives_no_warning():
    assert warnings_of(lambda: (Future().cancel(), Future())) == []


def test_what_was_derived_from_was_looked_at():
    def main():
        Future.with_result(1).map(str).ignore()
        sleep(1)

    assert warnings_of(lambda: run_virtual(main)) == []

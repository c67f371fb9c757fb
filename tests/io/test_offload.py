"""offload: a function in a thread, its outcome, and what a cancellation leaves behind."""

import concurrent.futures
import contextvars
import functools
import gc
import os
import sys
import threading
import time

import pytest
from gate import Gate

import trueasync
from trueasync import Cancelled, UsageError, offload


@pytest.fixture
def executor():
    with concurrent.futures.ThreadPoolExecutor(2) as made:
        yield made


# -- the outcome -----------------------------------------------------------------------------


def test_it_returns_what_the_function_returned_in_another_thread(run):
    def function(*args, **kwargs):
        return args, kwargs, threading.get_ident()

    args, kwargs, ident = run(offload, function, 1, 2, three=3)

    assert (args, kwargs) == ((1, 2), {"three": 3})
    assert ident != threading.get_ident()


def test_it_raises_what_the_function_raised(run):
    with pytest.raises(ZeroDivisionError):
        run(offload, lambda: 1 / 0)


def test_the_others_go_on_meanwhile(run):
    # Blocks for ever unless another coroutine runs.
    def main():
        gate = Gate()
        trueasync.spawn(gate.opened.set)
        offload(gate)
        return "went on"

    assert run(main) == "went on"


def test_calls_of_several_coroutines_run_at_the_same_time(run):
    def main():
        barrier = threading.Barrier(10)
        calls = [trueasync.spawn(offload, barrier.wait, 30) for _ in range(10)]
        return sorted(call.result() for call in calls)

    assert run(main) == list(range(10))


def test_more_than_the_threads_wait_for_their_turn(run):
    def main():
        calls = [trueasync.spawn(offload, lambda n=n: (time.sleep(0), n)[1]) for n in range(500)]
        return [call.result() for call in calls]

    assert run(main) == list(range(500))


def test_contextvars_travel(run):
    variable = contextvars.ContextVar("variable")

    def main():
        variable.set("of the coroutine")
        return offload(variable.get)

    assert run(main) == "of the coroutine"


def test_runs_in_several_threads_share_the_workers():
    outcomes = []

    def use(name):
        def main():
            calls = [trueasync.spawn(offload, lambda n=n: (name, n)) for n in range(100)]
            return [call.result() for call in calls] == [(name, n) for n in range(100)]

        outcomes.append(trueasync.run(main))

    threads = [threading.Thread(target=use, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert outcomes == [True] * 4


def test_a_run_of_its_own_may_go_on_in_the_thread(run):
    def main():
        return offload(trueasync.run, lambda: trueasync.spawn(lambda: "inner").result())

    assert run(main) == "inner"


def test_functions_in_threads_may_offload_nothing_themselves(run):
    with pytest.raises(UsageError, match=r"trueasync\.offload\(\) works inside trueasync\.run"):
        run(offload, offload, int)


def test_in_virtual_time_it_takes_no_time():
    def main():
        sleeping = trueasync.spawn(trueasync.sleep, 3600)
        offload(time.sleep, 0.01)
        return sleeping.done()

    assert trueasync.testing.run(main) is False


@pytest.mark.parametrize("thing", [5, None, "text"])
def test_what_is_neither_function_nor_executor_is_refused(run, thing):
    with pytest.raises(TypeError, match="neither a function nor an executor"):
        run(offload, thing, int)


def test_outside_a_run_it_says_so():
    with pytest.raises(UsageError, match="offload"):
        offload(int)


# -- cancellation --------------------------------------------------------------------------


def test_cancelled_while_its_function_runs_it_ends_at_once(run, unraisable):
    gate = Gate()

    def main():
        coroutine = trueasync.spawn(offload, gate)
        while not gate.entered.is_set():
            trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        return gate.left.is_set()

    left = run(main)
    gate.opened.set()
    assert gate.left.wait(30)

    assert (left, unraisable) == (False, [])


def test_the_error_of_a_function_nobody_waits_for_goes_to_the_hook(run, monkeypatch):
    told, error, gate = threading.Event(), LookupError("too late"), Gate()
    seen = []

    def hook(args):
        seen.append((args.exc_value, repr(args.object)))
        told.set()

    monkeypatch.setattr(sys, "unraisablehook", hook)

    def main():
        coroutine = trueasync.spawn(offload, gate, None, error)
        while not gate.entered.is_set():
            trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        gate.opened.set()
        while not told.is_set():
            trueasync.sleep(0.001)

    run(main)

    assert seen[0][0] is error
    assert seen[0][1].startswith("<ThreadCall <")


def test_the_error_of_a_function_that_outlives_the_run_goes_to_the_hook(monkeypatch):
    told, error, gate = threading.Event(), LookupError("after the run"), Gate()
    seen = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: (seen.append(args.exc_value), told.set())
    )

    def main():
        coroutine = trueasync.spawn(offload, gate, None, error)
        while not gate.entered.is_set():
            trueasync.suspend()
        coroutine.cancel()

    trueasync.run(main)
    gate.opened.set()
    assert told.wait(30)

    assert seen == [error]


def test_cancelled_before_it_begins_it_never_does(run):
    called = []

    def main():
        coroutine = trueasync.spawn(offload, called.append, 1)
        coroutine.cancel()
        trueasync.sleep(0.001)

    run(main)

    assert called == []


def test_cancelled_in_the_queue_it_never_is_called(run):
    from trueasync.io import offload as module

    called, gate = [], Gate()

    def main():
        busy = [trueasync.spawn(offload, gate) for _ in range(module.MOST_THREADS)]
        late = trueasync.spawn(offload, called.append, 1)
        while module.crew.busy < module.MOST_THREADS or not module.crew.queued:
            trueasync.suspend()
        late.cancel()
        trueasync.suspend()
        gate.opened.set()
        for coroutine in busy:
            coroutine.result()
        return module.crew.queued

    assert (run(main), called) == (0, [])


def test_a_result_that_came_before_the_cancellation_is_returned(seeds):
    # Decision 2: what was won is returned, and the cancellation comes at the next wait.
    def main():
        outcomes = []

        def works():
            outcomes.append(offload(int, "7"))
            trueasync.suspend()

        def cancels():
            for _ in range(3):
                trueasync.suspend()
            coroutine.cancel()

        coroutine = trueasync.spawn(works)
        trueasync.spawn(cancels)
        with pytest.raises(Cancelled):
            coroutine.result()
        return outcomes

    for _ in seeds:
        assert trueasync.testing.run(main) in ([], [7])


# -- executors of others ---------------------------------------------------------------------


def test_an_executor_of_others_does_it(run, executor):
    def main():
        return offload(executor, sorted, [3, 1, 2], reverse=True)

    assert run(main) == [3, 2, 1]


def test_the_context_travels_to_an_executor_of_threads(run, executor):
    variable = contextvars.ContextVar("variable")

    def main():
        variable.set("of the coroutine")
        return offload(executor, variable.get)

    assert run(main) == "of the coroutine"


def test_an_error_comes_out_of_an_executor(run, executor):
    with pytest.raises(ZeroDivisionError):
        run(offload, executor, lambda: 1 / 0)


def test_cancelled_in_the_queue_of_an_executor_it_never_is_called(run, executor):
    called, gate = [], Gate()

    def main():
        busy = [trueasync.spawn(offload, executor, gate) for _ in range(2)]
        late = trueasync.spawn(offload, executor, called.append, 1)
        trueasync.suspend()
        late.cancel()
        with pytest.raises(Cancelled):
            late.result()
        gate.opened.set()
        for coroutine in busy:
            coroutine.result()
        return offload(executor, int)

    assert (run(main), called) == (0, [])


def test_an_error_nobody_waits_for_comes_out_of_an_executor_by_the_hook(run, executor, unraisable):
    error, gate = LookupError("too late"), Gate()

    def main():
        coroutine = trueasync.spawn(offload, executor, gate, None, error)
        while not gate.entered.is_set():
            trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.result()
        gate.opened.set()

    run(main)
    executor.shutdown()

    assert unraisable == [error]


def test_an_executor_that_was_shut_down_says_so(run, executor):
    executor.shutdown()

    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        run(offload, executor, int)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_do_it():
    def main():
        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            calls = [trueasync.spawn(offload, executor, os.getpid) for _ in range(8)]
            pids = {call.result() for call in calls}
            powers = trueasync.spawn(offload, executor, pow, 2, 100).result()
            with pytest.raises(ValueError, match="invalid literal"):
                offload(executor, int, "nonsense")
            return pids, powers

    pids, powers = trueasync.run(main)
    assert os.getpid() not in pids
    assert powers == 2**100


# -- references ----------------------------------------------------------------------------


def test_many_of_them_leave_no_reference_behind():
    function = functools.partial(int, "7")

    def main(count):
        for _ in range(count):
            assert offload(function) == 7
        gc.collect()
        return sys.getrefcount(function), len(gc.get_objects())

    trueasync.run(main, 100)
    references, objects = trueasync.run(main, 100)
    more_references, more_objects = trueasync.run(main, 5000)

    assert abs(more_references - references) < 3
    assert abs(more_objects - objects) < 100

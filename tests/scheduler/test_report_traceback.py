"""Coroutine.traceback: where one coroutine is, as Python writes tracebacks."""

import threading

import trueasync
from trueasync.testing import run as run_virtual


def test_the_traceback_of_a_coroutine_is_written_as_python_writes_it(run):
    def inner():
        trueasync.sleep(60)  # waits here

    def main():
        coroutine = trueasync.options(name="inner").spawn(inner)
        assert coroutine.traceback() == ""
        trueasync.suspend()
        text = coroutine.traceback()
        coroutine.cancel()
        trueasync.suspend()
        assert coroutine.traceback() == ""
        return text

    text = run(main)
    first, place, source = text.splitlines()[:3]
    assert first == "inner, waiting (most recent call last):"
    assert place == f'  File "{__file__}", line {inner.__code__.co_firstlineno + 1}, in inner'
    assert source.strip() == "trueasync.sleep(60)  # waits here"


def test_the_traceback_of_the_one_that_runs_ends_where_it_asks(run):
    def main():
        return trueasync.current_coroutine().traceback()

    lines = run(main).splitlines()
    assert lines[0].endswith("main, running (most recent call last):")
    assert lines[1].endswith(", in main")


def test_the_traceback_of_one_in_another_thread_can_be_asked_for():
    inside, done, held = threading.Event(), threading.Event(), []

    def other():
        held.append(trueasync.current_coroutine())
        inside.set()
        done.wait()

    thread = threading.Thread(target=run_virtual, args=(other,))
    thread.start()
    inside.wait()
    text = held.pop().traceback()
    done.set()
    thread.join()

    assert ", in other\n" in text


def test_asking_where_one_is_leaves_no_cycle_behind():
    """A frame that knows itself would keep all that it knows until the next collection."""
    import gc
    import weakref

    class Thing:
        pass

    def asks(ask):
        thing = Thing()
        ask()
        return weakref.ref(thing)

    def main():
        return asks(trueasync.current_coroutine().traceback)(), asks(trueasync.report)()

    gc.disable()
    try:
        assert run_virtual(main) == (None, None)
    finally:
        gc.enable()

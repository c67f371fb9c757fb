"""What `spawn` returns fits where a concurrent.futures.Future fits, in other threads too."""

import concurrent.futures

import pytest

import trueasync
from trueasync import Cancelled, UsageError, scope, sleep, spawn, suspend
from trueasync.testing import run as run_virtual


def fail(error):
    sleep(0.001)
    raise error


# -- in the thread of the run ---------------------------------------------------------------------


def test_it_says_that_it_is_a_future():
    def main():
        coroutine = spawn(int)
        return (
            isinstance(coroutine, concurrent.futures.Future),
            isinstance(coroutine, trueasync.Coroutine),
            type(coroutine) is trueasync.Coroutine,
            coroutine.__class__.__name__,
        )

    assert run_virtual(main) == (True, True, True, "Coroutine")


def test_where_concurrent_futures_is_not_loaded_its_class_is_its_own(python):
    ended = python(
        "import trueasync, sys\n"
        "def main():\n"
        "    assert trueasync.spawn(int).__class__ is trueasync.Coroutine\n"
        "    assert 'concurrent.futures' not in sys.modules\n"
        "trueasync.run(main)\n".replace("\\\n", "\n")
    )

    assert ended.returncode == 0, ended.stderr


def test_exception_gives_the_error_and_does_not_raise_it(run):
    def main():
        with scope(on_error=lambda coroutine, error: True) as s:
            error = OSError("broken")
            bad, good = s.spawn(fail, error), s.spawn(int)
        return bad.exception() is error, good.exception()

    assert run(main) == (True, None)


def test_exception_waits():
    def main():
        return spawn(sleep, 5).exception(timeout=6), trueasync.clock()

    assert run_virtual(main) == (None, 5)


def test_exception_takes_the_error():
    def main():
        coroutine = spawn(fail, OSError("broken"))
        return str(coroutine.exception())

    assert run_virtual(main) == "broken"


def test_exception_of_a_cancelled_one_raises():
    def main():
        coroutine = spawn(sleep, 60)
        coroutine.cancel()
        with pytest.raises(Cancelled):
            coroutine.exception()

    run_virtual(main)


def test_running_is_from_the_first_step_to_the_end():
    def main():
        coroutine = spawn(sleep, 1)
        before = coroutine.running(), coroutine.done()
        suspend()
        during = coroutine.running(), coroutine.done()
        coroutine.result()
        return before, during, (coroutine.running(), coroutine.done())

    assert run_virtual(main) == ((False, False), (True, False), (False, True))


def test_a_callback_is_called_once_when_it_is_done():
    def main():
        called = []
        coroutine = spawn(int)
        coroutine.add_done_callback(called.append)
        before = list(called)
        coroutine.result()
        return before, called == [coroutine]

    assert run_virtual(main) == ([], True)


def test_a_callback_that_comes_too_late_is_called_at_once():
    def main():
        called = []
        coroutine = spawn(int)
        coroutine.result()
        coroutine.add_done_callback(called.append)
        return called == [coroutine]

    assert run_virtual(main)


def test_callbacks_are_called_in_their_order_whatever_some_raise():
    def main():
        called = []
        coroutine = spawn(int)
        coroutine.add_done_callback(lambda done: called.append(1))
        coroutine.add_done_callback(lambda done: 1 / 0)
        coroutine.add_done_callback(lambda done: called.append(2))
        try:
            coroutine.result()
            sleep(1)
        finally:
            assert called == [1, 2]

    with pytest.raises(ZeroDivisionError):
        run_virtual(main)


def test_a_callback_must_not_wait():
    def main():
        spawn(int).add_done_callback(lambda done: sleep(1))
        sleep(2)

    with pytest.raises(UsageError, match="where no coroutine runs"):
        run_virtual(main)


def test_a_callback_is_called_for_one_that_never_ran():
    def main():
        called = []
        coroutine = spawn(int)
        coroutine.add_done_callback(lambda done: called.append(done.cancelled()))
        coroutine.cancel()
        return called

    assert run_virtual(main) == [True]

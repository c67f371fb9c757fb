"""Odd moments: finalizers at the end, Ctrl-C at the end, recursion at its limit."""

import contextlib
import io
import os
import signal

import pytest

import trueasync
from trueasync.scheduler.calls import running_scheduler
from trueasync.scheduler.microtasks import Microtask


class Closes:
    """Something whose finalizer waits, as that of a connection would."""

    def __init__(self, log):
        self.log = log

    def __del__(self):
        trueasync.sleep(1)
        self.log.append("closed")


def test_a_finalizer_of_an_argument_may_wait_and_the_coroutine_then_ends(run):
    log = []

    def main():
        child = trueasync.spawn(lambda argument: "result", Closes(log))
        return child.result(), child.done(), child.state

    assert run(main) == ("result", True, "done")
    assert log == ["closed"]


def test_a_finalizer_of_a_cancelled_coroutine_may_wait(run):
    log = []

    def child():
        connection = Closes(log)
        trueasync.sleep(100)
        del connection

    def main():
        waiting = trueasync.spawn(child)
        trueasync.suspend()
        waiting.cancel()

    run(main)

    assert log == ["closed"]


def test_ctrl_c_is_not_lost_when_main_waits_no_more():
    def child():
        trueasync.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trueasync.run(lambda: trueasync.spawn(child).result())


def test_a_second_ctrl_c_reaches_who_spins_after_main_has_ended():
    def spin():
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):
            pass
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        trueasync.run(lambda: trueasync.spawn(spin) and None)


def test_a_coroutine_cannot_be_fired_by_hand(run):
    def main():
        child = trueasync.spawn(lambda: "its own")
        with pytest.raises(trueasync.UsageError, match="ends with its function"):
            child.fire("forged")
        return child.result()

    assert run(main) == "its own"


def test_a_done_coroutine_takes_no_switch_handler(run):
    def main():
        child = trueasync.spawn(lambda: None)
        child.result()
        with pytest.raises(trueasync.UsageError, match="is done"):
            child.add_switch_handler(print)

    run(main)


def test_what_a_microtask_prints_is_not_redirected_by_who_suspends(run, capsys):
    def main():
        with contextlib.redirect_stdout(io.StringIO()) as inside:
            running_scheduler("test").add_microtask(Microtask(lambda: print("microtask")))
            trueasync.suspend()
        return inside.getvalue()

    assert run(main) == ""
    assert capsys.readouterr().out == "microtask\n"


def test_an_async_main_is_refused():
    async def main():
        pass

    with pytest.raises(TypeError, match="is async"):
        trueasync.run(main)


def test_a_deep_recursion_that_waits_can_be_caught(run):
    def deep():
        trueasync.suspend()
        deep()

    def main():
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises(RecursionError):
            deep()
        trueasync.sleep(0.001)
        return trueasync.current_coroutine().state

    assert run(main) == "running"

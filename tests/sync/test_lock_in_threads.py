"""Lock in native threads, and where no coroutine runs."""

import pytest
from natives import until, waiting

import trueasync
from trueasync import Lock, UsageError
from trueasync.scheduler.calls import running_scheduler


def note_turns(lock, name, into):
    with lock:
        into.append(name)


# -- native threads ---------------------------------------------------------------------------


def test_it_works_without_any_run(thread):
    lock, entered = Lock(), []

    with lock:
        thread(note_turns, lock, "thread", entered)
        until(waiting(lock, 1))
    until(lambda: entered)

    assert entered == ["thread"]


def test_a_signal_handler_runs_while_a_thread_waits(signal_when):
    lock = Lock()
    lock.acquire()

    signal_when(waiting(lock, 1), lock.release)

    assert lock.acquire() is True


def interrupt():
    raise KeyboardInterrupt


def test_ctrl_c_ends_the_wait_of_the_main_thread(signal_when):
    lock = Lock()
    lock.acquire()

    signal_when(waiting(lock, 1), interrupt)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire()

    assert ", 0 waiting" in repr(lock)


def test_a_thread_that_was_handed_it_and_then_interrupted_passes_it_on(signal_when):
    lock = Lock()
    lock.acquire()

    def handler():
        lock.release()  # to the thread that waits, which is this one
        interrupt()

    signal_when(waiting(lock, 1), handler)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire()

    assert not lock.locked()


# -- where no coroutine runs --------------------------------------------------------------------


def call_at_home(function):
    running_scheduler("post").reactor.post(function)
    trueasync.sleep(0.01)


def test_a_callback_waits_for_a_lock_that_a_thread_holds(run, thread):
    lock, entered = Lock(), []

    def hold():
        with lock:
            until(waiting(lock, 1))

    def main():
        thread(hold)
        until(lock.locked)
        call_at_home(lambda: note_turns(lock, "callback", entered))

    run(main)

    assert entered == ["callback"]


def test_a_callback_is_told_where_it_would_wait_for_ever(run):
    def main():
        with lock:
            call_at_home(lock.acquire)

    lock = Lock()

    with pytest.raises(UsageError, match="no coroutine runs"):
        run(main)

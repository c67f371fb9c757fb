"""When everybody waits: a deadlock, or somebody outside who may let them go on."""

import _thread
import threading

import pytest
from natives import until, waiting

import trueasync
from trueasync import Condition, DeadlockError, Event, Lock, RLock, spawn


def test_alone_it_is_a_deadlock(run):
    def wait_for_notice():
        with condition:
            condition.wait()

    lock, rlock, condition = Lock(), RLock(), Condition()
    lock.acquire()
    for wait in (lock.acquire, wait_for_notice):
        with pytest.raises(DeadlockError, match=r"for a (lock held by|notification)"):
            run(wait)
    with rlock, pytest.raises(DeadlockError, match="for a lock held by a native thread"):
        run(rlock.acquire)


def test_another_thread_may_release_what_a_run_waits_for(run, thread):
    lock, go = Lock(), threading.Lock()
    go.acquire()
    lock.acquire()

    def release():
        with go:
            lock.release()

    def main():
        waits = spawn(lock.acquire)
        trueasync.suspend()
        go.release()
        return waits.result()

    thread(release)

    assert run(main) is True


def test_a_thread_that_has_only_just_been_started_counts(run):
    def main():
        for _ in range(50):
            event = Event()
            _thread.start_new_thread(event.set, ())
            assert event.wait()

    run(main)


def test_it_is_a_deadlock_once_the_last_thread_has_ended(run, thread):
    lock = Lock()
    lock.acquire()

    thread(until, waiting(lock, 1))
    with pytest.raises(DeadlockError, match="for a lock"):
        run(lock.acquire)


# In processes of their own: pytest-timeout has a signal handler, which counts, too.


def test_an_event_without_anybody_outside_is_a_deadlock(python):
    for wait in ("Event().wait", "Semaphore(0).acquire"):
        ended = python(f"import trueasync; trueasync.run(trueasync.{wait})")
        assert "DeadlockError: 1 waiting" in ended.stderr, wait


def test_a_signal_handler_may_set_the_event_a_run_waits_for(python):
    script = """
import os, signal, trueasync
stop = trueasync.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
def main():
    trueasync.spawn(os.kill, os.getpid(), signal.SIGTERM)
    stop.wait()
    print("stopped in good order")
trueasync.run(main)
"""
    assert python(script).stdout == "stopped in good order\n"


def test_a_handler_is_no_reason_to_wait_for_a_lock(python):
    script = """
import signal, trueasync
signal.signal(signal.SIGTERM, lambda *_: None)
lock = trueasync.Lock()
lock.acquire()
trueasync.run(lock.acquire)
"""
    assert "DeadlockError: 1 waiting" in python(script).stderr

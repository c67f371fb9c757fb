"""The libuv loop: its clock, its waits, its end, its use by threads."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from trueasync import UsageError
from trueasync.events.event import Listener
from trueasync.reactor.reactor import UvReactor, libuv_version, message_of


def started(reactor, delay):
    timer = reactor.timer(delay)
    timer.start()
    return timer


def open_descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_its_clock_is_that_of_time_monotonic(reactor):
    before = time.monotonic()
    now = reactor.now()
    after = time.monotonic()

    assert before - 1e-6 <= now <= after + 1e-6


def test_libuv_names_itself_and_its_errors():
    assert libuv_version().startswith("1.")
    assert "bad file descriptor" in message_of(-9)


def test_a_wait_uses_no_processor_time(reactor):
    started(reactor, 0.2)
    before = time.thread_time()

    while reactor.active:
        reactor.poll(True)

    assert time.thread_time() - before < 0.02


def test_others_run_while_it_waits():
    # A wait that kept the GIL would not let this thread count.
    def wait():
        reactor = UvReactor()
        timer = started(reactor, 0.2)
        waiting.set()
        while not timer.fired:
            reactor.poll(True)
        reactor.close()

    waiting = threading.Event()
    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    turns = 0
    while thread.is_alive():
        turns += 1
        thread.join(0.001)

    assert turns > 20


def test_a_thread_has_a_reactor_of_its_own(reactor):
    fired = []

    def use():
        own = UvReactor()
        timer = started(own, 0.005)
        while own.active:
            own.poll(True)
        fired.append((timer.fired, reactor.active))
        own.close()

    mine = started(reactor, 1000.0)
    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    mine.stop()

    assert fired == [(True, 1)]


def test_closing_leaves_no_descriptor_behind():
    UvReactor().close()  # what is opened once for the process stays
    before = open_descriptors()

    for _ in range(20):
        reactor = UvReactor()
        started(reactor, 0.0)
        reactor.poll(True)
        reactor.close()

    assert open_descriptors() == before


def test_closing_in_a_thread_leaves_no_descriptor_behind():
    def use():
        reactor = UvReactor()
        started(reactor, 0.0)
        reactor.poll(True)
        reactor.close()

    def use_in_a_thread():
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()

    use_in_a_thread()
    before = open_descriptors()
    for _ in range(10):
        use_in_a_thread()

    assert open_descriptors() == before


@pytest.mark.parametrize("wait", [False, True])
def test_polling_a_closed_reactor_is_refused(wait):
    reactor = UvReactor()
    reactor.close()

    with pytest.raises(UsageError, match="this reactor is closed"):
        reactor.poll(wait)


def test_starting_a_timer_of_a_closed_reactor_is_refused_and_counts_nothing():
    reactor = UvReactor()
    timer = reactor.timer(0.0)
    reactor.close()

    with pytest.raises(RuntimeError, match="a timer of 0 s cannot be started"):
        timer.start()
    timer.stop()

    assert (timer.starts, reactor.active) == (0, 0)


@pytest.mark.parametrize(
    "forget",
    [
        "reactor = UvReactor()",
        "reactor = UvReactor(); del reactor",
        "reactor = UvReactor(); timer = reactor.timer(1.0); timer.start()",
        "import gc; reactor = UvReactor(); reactor.timer(1.0).start(); del reactor; gc.collect()",
        "import threading; thread = threading.Thread(target=UvReactor); thread.start()",
    ],
)
def test_a_reactor_nobody_closed_does_not_crash_the_end_of_the_program(forget):
    ended = run_python(f"from trueasync.reactor.reactor import UvReactor; {forget}")

    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_run_that_cannot_begin_does_not_crash_the_end_of_the_program(monkeypatch):
    monkeypatch.setenv("TRUEASYNC_SCHED", "nonsense")

    ended = run_python("import trueasync; trueasync.run(print)")

    assert ended.returncode == 1
    assert "ValueError: TRUEASYNC_SCHED='nonsense' is no schedule" in ended.stderr


def test_a_timer_outlives_its_reactor():
    reactor = UvReactor()
    timer = started(reactor, 1000.0)
    reactor.close()
    del reactor

    timer.stop()
    timer.stop()

    assert not timer.fired


@pytest.mark.parametrize("stop_first", [True, False])
def test_a_closed_reactor_keeps_nothing_of_its_timers_alive(stop_first):
    class Waiting(Listener):
        pass

    reactor = UvReactor()
    timer = started(reactor, 1000.0)
    listener = Waiting()
    timer.add_listener(listener)
    alive = weakref.ref(listener)
    if stop_first:
        timer.stop()

    reactor.close()
    del reactor, timer, listener
    gc.collect()

    assert alive() is None


def test_an_error_that_ends_the_program_comes_out_of_poll_as_well(reactor):
    class Quit(Listener):
        def notify(self, event):
            raise SystemExit(3)

    timer = reactor.timer(0.0)
    timer.add_listener(Quit())
    timer.start()

    with pytest.raises(SystemExit):
        reactor.poll(True)


def test_polls_below_a_poll_do_not_harm(reactor):
    # Nobody should; a listener that does must not break the loop for the others.
    class Nosy(Listener):
        def notify(self, event):
            reactor.poll(False)
            return True

    timers = [reactor.timer(0.0) for _ in range(5)]
    for timer in timers:
        timer.add_listener(Nosy())
        timer.start()

    reactor.poll(False)

    assert all(timer.fired for timer in timers)
    assert reactor.active == 0

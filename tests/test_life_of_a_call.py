"""The walk that HACKING.md opens with: one `sleep(1)`, stop by stop, from user code and back."""

import trueasync
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor
from trueasync.testing.virtual import VirtualTimer


class Diary(VirtualReactor):
    """A reactor that writes down what is asked of it, and who runs meanwhile."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def note(self, text):
        running = running_scheduler("test").current
        self.lines.append(f"{text} ({running.state if running else 'home'})")

    def timer(self, delay):
        self.note(f"timer({delay})")
        return DiaryTimer(self, delay)

    def poll(self, wait):
        self.note(f"poll(wait={wait})")
        super().poll(wait)


class DiaryTimer(VirtualTimer):
    def arm(self):
        self.clock.note("arm")
        super().arm()

    def add_listener(self, listener):
        self.clock.note(f"add_listener({type(listener).__name__})")
        super().add_listener(listener)

    def fire(self, value=None, error=None):
        self.clock.note("fire")
        fired = super().fire(value, error)
        self.clock.note(f"fired, and {running_scheduler('test').main.state}")
        return fired

    def disarm(self):
        super().disarm()
        self.clock.note("disarm")

    def stop(self):
        self.clock.note("stop")
        super().stop()


def test_a_sleep_makes_these_stops_in_this_order():
    diary = Diary()

    def main():
        diary.note("call sleep(1)")
        trueasync.sleep(1)
        diary.note("sleep(1) returns")

    run_on(diary, main)

    assert diary.lines == [
        "call sleep(1) (running)",
        # sleep(): the reactor makes an event, the scheduler a waker, which starts it
        "timer(1.0) (running)",
        "arm (running)",
        "add_listener(Waker) (running)",
        # nothing is ready: home waits in the reactor
        "poll(wait=True) (home)",
        # its time has come; the callback puts the coroutine on the ready queue, no more
        "fire (home)",
        "disarm (home)",
        "fired, and ready (home)",
        # the coroutine cleans up after itself, when it runs again
        "stop (running)",
        "sleep(1) returns (running)",
    ]


def test_while_others_may_run_the_same_walk_needs_no_home():
    diary = Diary()

    def main():
        sleeper = trueasync.spawn(trueasync.sleep, 0)
        sleeper.result()
        visits = trueasync.stats()["home_visits"]
        done = []
        trueasync.spawn(lambda: (trueasync.sleep(1), done.append("slept")))
        while not done:
            trueasync.suspend()
            diary.time += 0.001
        return trueasync.stats()["home_visits"] - visits

    assert run_on(diary, main) == 0
    assert "poll(wait=True) (home)" not in diary.lines


def test_a_call_that_need_not_wait_stops_at_the_waker():
    diary = Diary()

    def main():
        finished = trueasync.spawn(int)
        trueasync.suspend()
        del diary.lines[:]
        finished.result(timeout=5)
        return list(diary.lines)

    assert run_on(diary, main) == []

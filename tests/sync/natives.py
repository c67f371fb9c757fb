"""Native threads beside coroutines, and how a test waits for them."""

import signal
import threading
import time

from trueasync import suspend
from trueasync.scheduler.calls import in_coroutine


class NativeThread:
    """`function(*args)` in a native thread; `result()` is what it returned or raised."""

    def __init__(self, function, args):
        self.function, self.args = function, args
        self.value = self.error = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.value = self.function(*self.args)
        except BaseException as error:
            self.error = error

    def result(self):
        self.thread.join(20)
        assert not self.thread.is_alive(), "a native thread hangs"
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return self.value


def until(condition):
    """Look again and again, and let others run meanwhile."""
    while not condition():
        if in_coroutine():
            suspend()
        if threading.active_count() > 1:
            time.sleep(0)


def waiting(thing, count):
    """A condition for `until`: that many wait at `thing`."""
    return lambda: f", {count} waiting" in repr(thing)


class Signal:
    """Calls `handler` once in the main thread, as a signal handler, when `condition` holds.

    The signal is sent again until it has been heard: one that comes just before a thread
    falls asleep does not wake it, with native locks as with ours.
    """

    def __init__(self, condition, handler):
        self.condition, self.handler = condition, handler
        self.heard = False
        self.before = signal.signal(signal.SIGUSR1, self.hear)

    def hear(self, number, frame):
        if not self.heard:
            self.heard = True
            self.handler()

    def send(self):
        until(self.condition)
        while not self.heard:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            time.sleep(0.001)

    def put_back(self):
        signal.signal(signal.SIGUSR1, self.before)

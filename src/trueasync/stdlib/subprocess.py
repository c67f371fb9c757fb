"""subprocess: Popen stays the standard one; inside a coroutine only that waits for a child.

Starting is left alone: it takes half a millisecond. Waiting for the end asks the reactor,
instead of the system, and without the lock that Popen has for it: another coroutine would
block the thread at that. Its pipes are PipeFiles (pipes.py), and `communicate` waits for them
with a selector that waits politely.
"""

import selectors
import subprocess

import cython
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.reactor.base import Descriptor
from cython.cimports.trueasync.scheduler.current import coroutine_here, scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.stdlib.pipes import watch

from .patching import Alone
from .pipes import Io

original_wait = subprocess.Popen._wait
OriginalSelector = subprocess._PopenSelector


def wait(self, timeout):
    """As Popen._wait; inside a coroutine only that waits. Suspends the coroutine."""
    if coroutine_here() is not None and self.returncode is None:
        wait_for_end(self, timeout)
        timeout = None  # it has ended
    return original_wait(self, timeout)


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_for_end(popen, timeout) -> cython.int:
    scheduler: Scheduler = scheduler_here()
    end: Event = scheduler.reactor.process(popen.pid, False)
    timer: Event = None
    if timeout is not None:
        timer = scheduler.reactor.timer(max(timeout, 0.0))
    if scheduler.wait(end, timer) is not end:
        raise subprocess.TimeoutExpired(popen.args, timeout)
    return 0


class Selector(OriginalSelector):
    """The selector of `communicate`; inside a coroutine only that waits."""

    def select(self, timeout=None):
        """As the original. Suspends the coroutine."""
        if coroutine_here() is None:
            return OriginalSelector.select(self, timeout)
        found = OriginalSelector.select(self, 0)
        if found or not self.get_map() or (timeout is not None and timeout <= 0):
            scheduler: Scheduler = scheduler_here()
            scheduler.pause()  # a child that never stops to talk must not keep the others out
            return found
        return select_within(self, timeout)


@cython.cfunc
def select_within(selector, timeout):
    scheduler: Scheduler = scheduler_here()
    timer: Event = None
    if timeout is not None:
        timer = scheduler.reactor.timer(timeout)
        timer.start()  # once for all waits: the time goes on
    try:
        while True:
            waited_for: list = events_of(selector)
            winner: Event = scheduler.wait(waited_for[0], timer, waited_for[1:])
            found = OriginalSelector.select(selector, 0)
            if found or winner is timer:
                return found
    finally:
        if timer is not None:
            timer.stop()


@cython.cfunc
def events_of(selector) -> list:
    """One event for each direction of each file that is registered."""
    events: list = []
    for key in selector.get_map().values():
        descriptor: Descriptor = watch(key.fileobj, key.fd)
        if key.events & selectors.EVENT_READ:
            descriptor.forget_readable()  # it may have been read since
            events.append(descriptor.readable())
        if key.events & selectors.EVENT_WRITE:
            events.append(descriptor.writable())
    return events


def replacements():
    """What is put where in `subprocess`. Never suspends."""
    return [
        (subprocess.Popen, "_wait", wait),
        (Alone(subprocess), "_PopenSelector", Selector),
        (Alone(subprocess), "io", Io()),
    ]

"""Every call of the package that waits, for test_cancel_matrix.py. A new one is one line here.

`waiting(name, wait, make=..., wake=..., after=...)`:

`make()` gives what is waited at, in a run; None by default
`wait(thing)` waits at it
`wake(thing)` ends that wait, of one waiter at least, and does not suspend while one waits
`after=True` instead of `wake`: the wait ends by itself, after SOON
`end(thing)` puts it back as it was before a wait that has ended, if that is needed
`on=("libuv",)`: only there; by default on the virtual reactor too
"""

import atexit
import dataclasses
import os
import pathlib
import shutil
import signal
import tempfile
from collections.abc import Callable
from typing import Any

import trueasync
from trueasync import (
    Barrier,
    Channel,
    Condition,
    Event,
    Lock,
    PriorityQueue,
    Queue,
    RLock,
    Semaphore,
    SimpleQueue,
    ThreadChannel,
    scope,
    sleep,
    spawn,
)
from trueasync.events.event import Event as BareEvent

SOON = 0.002
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)


@dataclasses.dataclass
class Wait:
    name: str
    wait: Callable[[Any], Any]
    make: Callable[[], Any]
    wake: Callable[[Any], Any] | None
    end: Callable[[Any], Any]
    on: tuple[str, ...]


WAITS: list[Wait] = []


def waiting(name, wait, make=lambda: None, wake=None, after=False, end=lambda thing: None, on=None):
    assert (wake is None) == after, f"{name}: either wake= or after=True"
    WAITS.append(Wait(name, wait, make, wake, end, on or ("virtual", "libuv")))


class Gate:
    """Something whose end a coroutine waits for, however that asks; opened without a wait."""

    def __init__(self, make=lambda wait: spawn(wait)):
        self.channel = Channel(1)
        self.thing = make(self.channel.receive)

    @staticmethod
    def done():
        event = BareEvent()
        event.fire()
        return event

    def open(self):
        if not self.channel.closed:
            self.channel.try_send(None)
            self.channel.close()


def children_of_a_scope(wait):
    held = scope()
    held.spawn(wait)
    return held


class Watched:
    """A directory of its own, and who watches it."""

    def __init__(self):
        folder = tempfile.mkdtemp(dir=FOLDER)
        self.file = pathlib.Path(folder, "file")
        self.watcher = trueasync.FileSystemWatcher(folder, debounce=0)

    def change(self):
        self.file.touch()


def send_signal(signals):
    os.kill(os.getpid(), signal.SIGURG)  # which does nothing when nobody waits for it


def leave(gate):
    with scope() as s:
        s.spawn(gate.thing.result)


class Kept(Gate):
    """A lock that another coroutine holds until it is opened."""

    def __init__(self, lock):
        super().__init__(lambda wait: spawn(self.keep, lock, wait))
        self.lock = lock

    def keep(self, lock, wait):
        with lock:
            wait()

    def enter(self):
        with self.lock:
            pass


class Lent:
    """A pool of one resource, and that is lent."""

    def __init__(self):
        self.pool = trueasync.Pool(object, maximum=1)
        self.loan = self.pool.acquire()

    def borrow(self, timeout=None):
        with self.pool.acquire(timeout):
            pass

    def give_back(self):
        self.loan.release()


def locked():
    lock = Lock()
    lock.acquire()
    return lock


def full(kind=Queue):
    items = kind(1)
    items.put(1)
    return items


def wait_at_condition(condition):
    with condition:
        condition.wait()


def notify(condition):
    with condition:
        condition.notify()


def give(future):
    if not future.done():
        future.set_result(None)


# -- the calls ---------------------------------------------------------------------------------

waiting("sleep", lambda _: sleep(SOON), after=True)
waiting("suspend", lambda _: trueasync.suspend(), after=True)
waiting("sleep(0)", lambda _: sleep(0), after=True)
waiting("Coroutine.result", lambda g: g.thing.result(), Gate, Gate.open)
waiting("Coroutine.result(timeout)", lambda g: g.thing.result(60), Gate, Gate.open)
waiting("Scope.wait", lambda g: g.thing.wait(), lambda: Gate(children_of_a_scope), Gate.open)
waiting(
    "Scope.wait(timeout)", lambda g: g.thing.wait(60), lambda: Gate(children_of_a_scope), Gate.open
)
waiting("leaving a scope", leave, Gate, Gate.open)
waiting("Channel.receive", Channel.receive, Channel, lambda c: c.try_send(1))
waiting("Channel.send", lambda c: c.send(1), Channel, Channel.try_receive)
waiting("select, receiving", lambda c: trueasync.select(c), Channel, lambda c: c.try_send(1))
waiting("select, sending", lambda c: trueasync.select(c.sending(1)), Channel, Channel.try_receive)
waiting("select, a coroutine", lambda g: trueasync.select(g.thing), Gate, Gate.open)
waiting("iterate", lambda _: trueasync.iterate([SOON, SOON], sleep), after=True)
waiting("Trigger.wait", trueasync.Trigger.wait, trueasync.Trigger, trueasync.Trigger.fire)
waiting(
    "a step of signal",
    next,
    lambda: trueasync.signal(signal.SIGURG),
    send_signal,
    on=("libuv",),
)
waiting(
    "select, a signal",
    lambda s: trueasync.select(s),
    lambda: trueasync.signal(signal.SIGURG),
    send_signal,
    on=("libuv",),
)
waiting(
    "a step of FileSystemWatcher",
    lambda w: next(w.watcher),
    Watched,
    Watched.change,
    on=("libuv",),
)
waiting("Lock.acquire", Lock.acquire, locked, Lock.release)
waiting("Lock.acquire(timeout)", lambda lock: lock.acquire(timeout=60), locked, Lock.release)
waiting("RLock", Kept.enter, lambda: Kept(RLock()), Kept.open)
waiting("Semaphore.acquire", Semaphore.acquire, lambda: Semaphore(0), Semaphore.release)
waiting("Condition.wait", wait_at_condition, Condition, notify)
waiting("Event.wait", Event.wait, Event, Event.set, end=Event.clear)
waiting("Event.wait(timeout)", lambda e: e.wait(60), Event, Event.set, end=Event.clear)
waiting("Barrier.wait", Barrier.wait, lambda: Barrier(2), Barrier.wait)
waiting("Queue.get", Queue.get, Queue, lambda q: q.put_nowait(1))
waiting("Queue.get(timeout)", lambda q: q.get(timeout=60), Queue, lambda q: q.put_nowait(1))
waiting("Queue.put", lambda q: q.put(1), full, Queue.get_nowait)
waiting("Queue.join", Queue.join, full, Queue.task_done, end=lambda q: q.get() and q.put(1))
waiting("PriorityQueue.get", Queue.get, PriorityQueue, lambda q: q.put_nowait(1))
waiting("PriorityQueue.put", lambda q: q.put(1), lambda: full(PriorityQueue), Queue.get_nowait)
waiting("SimpleQueue.get", SimpleQueue.get, SimpleQueue, lambda q: q.put(1))
waiting("ThreadChannel.receive", Channel.receive, ThreadChannel, lambda c: c.try_send(1))
waiting("ThreadChannel.send", lambda c: c.send(1), ThreadChannel, Channel.try_receive)
waiting("select, a thread", lambda c: trueasync.select(c), ThreadChannel, lambda c: c.try_send(1))
waiting("Pool.acquire", Lent.borrow, Lent, Lent.give_back)
waiting("Pool.acquire(timeout)", lambda lent: lent.borrow(60), Lent, Lent.give_back)
waiting("await_", lambda g: trueasync.await_(g.thing), Gate, Gate.open)
waiting("await_all", lambda g: trueasync.await_all([g.thing, Gate.done()]), Gate, Gate.open)
waiting("await_any", lambda g: trueasync.await_any([g.thing, BareEvent()]), Gate, Gate.open)
waiting("await_, a token", lambda g: trueasync.await_(g.thing, token=BareEvent()), Gate, Gate.open)
waiting("Future.result", trueasync.Future.result, trueasync.Future, give)

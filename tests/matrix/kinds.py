"""Every kind of thing one can wait for, for test_combinators.py. A new one is one line here.

`kind(name, make, succeed, fail, cancel, value=...)`:

`make()` gives a thing that is not done, in a run
`succeed(thing)`, `fail(thing, error)`, `cancel(thing)` end it, without a wait; None if it cannot
`value` is what it then has
`on=("libuv",)`: only there; by default on the virtual reactor too
"""

import concurrent.futures
import dataclasses
import threading
from collections.abc import Callable
from typing import Any

import trueasync
from trueasync import spawn
from trueasync.events.event import Event


@dataclasses.dataclass
class Kind:
    name: str
    make: Callable[[], Any]
    succeed: Callable[[Any], Any] | None
    fail: Callable[[Any, BaseException], Any] | None
    cancel: Callable[[Any], Any] | None
    value: Any
    on: tuple[str, ...]


KINDS: list[Kind] = []


def kind(name, make, succeed=None, fail=None, cancel=None, value="value", on=None):
    KINDS.append(Kind(name, make, succeed, fail, cancel, value, on or ("virtual", "libuv")))


waiting = {}  # coroutine -> the event that ends it


def coroutine():
    event = Event()
    made = spawn(lambda: (trueasync.await_(event), event.outcome())[1])
    waiting[made] = event
    return made


def end_coroutine(made, value=None, error=None):
    waiting.pop(made).fire(value, error)


def cancel_coroutine(made):
    del waiting[made]
    made.cancel()


def thread():
    gate = threading.Event()
    made = threading.Thread(target=gate.wait)
    waiting[made] = gate
    made.start()
    return made


def end_thread(made):
    waiting.pop(made).set()
    made.join()


# -- the kinds ---------------------------------------------------------------------------------

kind(
    "coroutine",
    coroutine,
    lambda c: end_coroutine(c, "value"),
    lambda c, error: end_coroutine(c, error=error),
    cancel_coroutine,
)
kind("event", Event, lambda e: e.fire("value"), lambda e, error: e.fire(error=error))
kind(
    "concurrent.futures.Future",
    concurrent.futures.Future,
    lambda f: f.set_result("value"),
    concurrent.futures.Future.set_exception,
    concurrent.futures.Future.cancel,
)
kind(
    "Future",
    trueasync.Future,
    lambda f: f.set_result("value"),
    trueasync.Future.set_exception,
    trueasync.Future.cancel,
)
kind("thread", thread, end_thread, value=None, on=("libuv",))

"""What a type checker must accept and refuse; read by mypy in `dev.py check`, never run.

A wrong call is marked with the error it must give: if it passes, the mark is unused, which
is an error too.
"""

import asyncio
import concurrent.futures
import signal
from collections.abc import Callable
from typing import Any

from typing_extensions import assert_type

import trueasync
import trueasync.testing
from trueasync import Coroutine, Moment, Priority
from trueasync.events.event import Event, Listener
from trueasync.reactor.base import Reactor, ReactorEvent
from trueasync.scheduler.calls import running_scheduler


def fetch(url: str, retries: int = 3, *, verify: bool = True) -> bytes:
    return url.encode() * retries * verify


def log(message: str) -> None:
    print(message)


class Client:
    def get(self, path: str) -> float:
        return float(path)


def run_returns_what_main_returns() -> None:
    assert_type(trueasync.run(fetch, "x"), bytes)
    assert_type(trueasync.run(fetch, "x", 2, verify=False), bytes)
    assert_type(trueasync.testing.run(fetch, url="x"), bytes)
    trueasync.run()  # type: ignore[call-arg]
    trueasync.run(fetch)  # type: ignore[call-arg]
    trueasync.run(fetch, 1)  # type: ignore[arg-type]
    trueasync.run(fetch, "x", timeout=1)  # type: ignore[call-arg]
    trueasync.testing.run(fetch, 1)  # type: ignore[arg-type]


def spawn_checks_the_arguments_and_knows_the_result() -> None:
    coroutine = trueasync.spawn(fetch, "x", retries=2)
    assert_type(coroutine, Coroutine[bytes])
    assert_type(coroutine.result(), bytes)
    assert_type(coroutine.result(timeout=0.5), bytes)
    assert_type(trueasync.spawn(lambda: 1).result(), int)
    assert_type(trueasync.spawn(Client().get, "1").result(), float)
    assert_type(trueasync.spawn(Client).result(), Client)
    assert_type(trueasync.spawn(log, "x"), Coroutine[None])
    trueasync.spawn(fetch)  # type: ignore[call-arg]
    trueasync.spawn(fetch, b"x")  # type: ignore[arg-type]
    trueasync.spawn(fetch, "x", 1, True)  # type: ignore[call-arg]
    trueasync.spawn(fetch, "x", verbose=True)  # type: ignore[call-arg]
    trueasync.spawn(fetch("x"))  # type: ignore[arg-type]
    trueasync.spawn(function=fetch)  # type: ignore[call-arg]
    coroutine.result("soon")  # type: ignore[arg-type]


def options_spawn_is_as_strict_as_spawn() -> None:
    chosen = trueasync.options(name="db", priority=Priority.HIGH)
    assert_type(chosen.spawn(fetch, "x"), Coroutine[bytes])
    trueasync.options(priority=255).spawn(log, "x")
    chosen.spawn(fetch, 1)  # type: ignore[arg-type]
    trueasync.options("db")  # type: ignore[call-arg]
    trueasync.options(name=1)  # type: ignore[arg-type]
    trueasync.options(priority="high")  # type: ignore[arg-type]
    trueasync.options(stack_size=1)  # type: ignore[call-arg]


def options_run_is_as_strict_as_run() -> None:
    chosen = trueasync.options(grace=5, watchdog=0.1, report_on=10)
    assert_type(chosen.run(fetch, "x", verify=False), bytes)
    chosen.run(fetch)  # type: ignore[call-arg]
    chosen.run(fetch, "x", grace=1)  # type: ignore[call-arg]
    trueasync.options(grace="long")  # type: ignore[arg-type]


def a_coroutine_of_a_subtype_fits(coroutine: Coroutine[bool]) -> Coroutine[int]:
    several: list[Coroutine[object]] = [coroutine]
    print(several[0].result().nothing)  # type: ignore[attr-defined]
    wrong: Coroutine[str] = coroutine  # type: ignore[assignment]
    wrong.cancel()
    return coroutine


def what_a_coroutine_tells(coroutine: Coroutine[int]) -> None:
    assert_type(coroutine.cancel(), bool)
    assert_type(coroutine.done(), bool)
    assert_type(coroutine.cancelled(), bool)
    assert_type(coroutine.state, str)
    assert_type(coroutine.name, str)
    assert_type(coroutine.number, int)
    assert_type(coroutine.waits_for, list[str])
    assert_type(coroutine.outcome(), int)
    assert_type(coroutine.exception(), BaseException | None)
    assert_type(coroutine.running(), bool)
    assert_type(coroutine.cancel("enough", grace=1.5), bool)
    coroutine.cancel(grace="soon")  # type: ignore[arg-type]
    Coroutine()  # type: ignore[call-arg]
    coroutine.name = "x"  # type: ignore[misc]
    print(coroutine.stage)  # type: ignore[attr-defined]

    class Mine(Coroutine[int]): ...  # type: ignore[misc]


def a_coroutine_fits_where_a_future_does(coroutine: Coroutine[int]) -> None:
    future: concurrent.futures.Future[int] = coroutine
    concurrent.futures.wait([coroutine, future], timeout=1)
    for done in concurrent.futures.as_completed([coroutine]):
        assert_type(done.result(), int)
    assert_type(asyncio.wrap_future(coroutine), asyncio.Future[int])
    coroutine.add_done_callback(print)
    wrong: concurrent.futures.Future[str] = coroutine  # type: ignore[assignment]
    print(wrong)


def scopes() -> None:
    with trueasync.scope(name="all", on_error=lambda coroutine, error: True) as s:
        assert_type(s, trueasync.Scope)
        assert_type(s.spawn(fetch, "x"), Coroutine[bytes])
        assert_type(s.options(name="one").spawn(fetch, "x", retries=1), Coroutine[bytes])
        s.spawn(fetch, 1)  # type: ignore[arg-type]
        s.cancel("enough", grace=2)
        s.cancel(grace="soon")  # type: ignore[arg-type]
        assert_type(s.coroutines, list[Coroutine[Any]])
    assert_type(trueasync.current_scope(), trueasync.Scope | None)
    trueasync.scope("all")  # type: ignore[call-arg]
    trueasync.scope(on_error=log)  # type: ignore[arg-type]


def a_with_statement_that_may_not_swallow_needs_no_return_after_it() -> int:
    with trueasync.timeout(5), trueasync.shield():
        return 1


def timeouts() -> None:
    with trueasync.move_on(1.5) as limit:
        assert_type(limit.deadline, float | None)
        limit.deadline = trueasync.clock() + 1
    assert_type(limit.expired, bool)
    trueasync.timeout(None)
    trueasync.deadline(trueasync.clock())
    trueasync.timeout("5")  # type: ignore[arg-type]
    trueasync.timeout(seconds=5)  # type: ignore[call-arg]


def the_await_family_keeps_keys_and_types(
    one: Coroutine[int], two: Coroutine[int], by_name: dict[str, Coroutine[bytes]]
) -> None:
    assert_type(trueasync.await_(one), int)
    assert_type(trueasync.await_(one, token=two), int)
    assert_type(trueasync.await_all_or_fail([one, two]), list[int])
    assert_type(trueasync.await_all_or_fail(by_name), dict[str, bytes])
    assert_type(trueasync.await_all(by_name), tuple[dict[str, bytes], dict[str, BaseException]])
    results, errors = trueasync.await_all([one, two])
    assert_type(results, dict[int, int])
    assert_type(errors, dict[int, BaseException])
    assert_type(trueasync.await_any_or_fail([one, two]), int)
    assert_type(trueasync.await_first_success(by_name), bytes)
    assert_type(trueasync.await_any_of_or_fail(1, by_name), dict[str, bytes])
    assert_type(trueasync.race([one, two]), int)
    trueasync.await_all_or_fail(one)  # type: ignore[call-overload]
    trueasync.race([1, 2])  # type: ignore[arg-type]
    trueasync.await_any_of([one])  # type: ignore[call-overload]


def futures(future: trueasync.Future[int]) -> None:
    future.set_result(1)
    future.set_result("1")  # type: ignore[arg-type]
    assert_type(future.result(), int)
    assert_type(future.map(str), trueasync.Future[str])
    assert_type(future.map(str).map(len).finally_(print), trueasync.Future[int])
    assert_type(future.catch(str), trueasync.Future[int | str])
    assert_type(trueasync.Future.with_result("x"), trueasync.Future[str])
    assert_type(trueasync.await_(future), int)
    future.map(log)  # type: ignore[arg-type]


def switch_handlers(coroutine: Coroutine[int]) -> None:
    def on_switch(switched: Coroutine[Any], moment: Moment) -> bool:
        return moment is not Moment.FINISH

    coroutine.add_switch_handler(on_switch)
    trueasync.on_main_start(on_switch)
    coroutine.add_switch_handler(lambda: True)  # type: ignore[misc, arg-type]
    trueasync.on_main_start(log)  # type: ignore[arg-type]


def asking_who_is_here() -> None:
    assert_type(trueasync.current_coroutine(), Coroutine[Any])
    assert_type(trueasync.get_coroutines(), list[Coroutine[Any]])
    assert_type(trueasync.stats(), dict[str, int])


def waiting() -> None:
    trueasync.sleep(1)
    trueasync.sleep(0.5)
    trueasync.suspend()
    trueasync.sleep("1")  # type: ignore[arg-type]
    trueasync.suspend(1)  # type: ignore[call-arg]


def iterate_passes_items_of_one_type() -> None:
    trueasync.iterate(["a", "b"], log)
    trueasync.iterate(iter("ab"), log, concurrency=2)
    trueasync.iterate([1, 2], log)  # type: ignore[arg-type]
    trueasync.iterate(3, log)  # type: ignore[arg-type]
    trueasync.iterate("ab", log, concurrency="2")  # type: ignore[arg-type]


def inherit_output_keeps_the_signature() -> None:
    inherited = trueasync.inherit_output(fetch)
    assert_type(inherited("x"), bytes)
    inherited(1)  # type: ignore[arg-type]
    assert_type(trueasync.spawn(inherited, "x").result(), bytes)


class Door(ReactorEvent):
    def __init__(self, reactor: Reactor, name: str) -> None:
        super().__init__(reactor)
        self.name = name

    def arm(self) -> None:
        super().arm()

    def info(self) -> str:
        return self.name


class Bell(Listener):
    def __init__(self, ring: Callable[[], None]) -> None:
        self.ring = ring

    def notify(self, event: Event) -> bool:
        self.ring()
        return True


class WrongBell(Listener):
    def notify(self, event: str) -> bool:  # type: ignore[override]
        return bool(event)


def events_of_ones_own() -> None:
    scheduler = running_scheduler("this")
    door = Door(scheduler.reactor, "a door")
    door.add_listener(Bell(lambda: None))
    door.add_listener(print)  # type: ignore[arg-type]
    assert_type(scheduler.wait(door, scheduler.reactor.timer(1)), Event)
    assert_type(door.fire("value"), bool)
    door.fire(error="wrong")  # type: ignore[arg-type]
    scheduler.wait("door")  # type: ignore[arg-type]
    Door("a door")  # type: ignore[arg-type, call-arg]


def arrivals_have_a_type() -> None:
    with trueasync.signal(signal.SIGHUP) as signals, trueasync.FileSystemWatcher(".") as watcher:
        for number in signals:
            assert_type(number, signal.Signals | int)
        for change in watcher:
            assert_type(change, trueasync.Change)
            assert_type(change.old_path, str | None)
        assert_type(trueasync.select(watcher, timeout=1), tuple[int, trueasync.Change])
    trueasync.signal("SIGHUP")  # type: ignore[arg-type]
    trueasync.FileSystemWatcher(3)  # type: ignore[arg-type]

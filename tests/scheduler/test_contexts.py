"""Contexts: started from home only, reused clean, and never piled upon each other."""

import contextvars
import sys

import trueasync
from trueasync.testing import run as run_virtual

number = contextvars.ContextVar("number", default=0)


def test_50_000_coroutines_each_starting_the_next_while_suspending_do_not_nest():
    def main():
        depths, total = [], 50_000

        def link(n):
            frame = sys._getframe()
            depth = 0
            while frame is not None:
                frame, depth = frame.f_back, depth + 1
            depths.append(depth)
            if n + 1 < total:
                trueasync.spawn(link, n + 1)
            trueasync.suspend()

        trueasync.spawn(link, 0)
        trueasync.sleep(1)
        return len(depths), max(depths)

    assert run_virtual(main) == (50_000, 1)


def test_5_000_contexts_alive_at_once_each_started_by_the_last_do_not_nest():
    def main():
        alive = []

        def link(n):
            if n < 5_000:
                alive.append(trueasync.spawn(link, n + 1))
            trueasync.sleep(1)
            return n

        alive.append(trueasync.spawn(link, 1))
        trueasync.sleep(0.5)
        created = trueasync.stats()["contexts_created"]
        return sum(coroutine.result() for coroutine in alive), created

    assert run_virtual(main) == (5_000 * 5_001 // 2, 5_001)


def test_every_context_has_the_full_recursion_depth():
    def main():
        def depth(n=1):
            try:
                return depth(n + 1)
            except RecursionError:
                return n

        def link(n):
            if n:
                return trueasync.spawn(link, n - 1).result()
            return depth()

        return trueasync.spawn(depth).result(), trueasync.spawn(link, 400).result()

    shallow, deep = run_virtual(main)
    assert abs(shallow - deep) < 10


def test_a_coroutine_sees_the_contextvars_of_its_spawner(run):
    def main():
        number.set(7)
        coroutine = trueasync.spawn(number.get)
        number.set(8)
        return coroutine.result()

    assert run(main) == 7


def test_what_a_coroutine_sets_stays_its_own(run):
    def main():
        number.set(1)

        def body(value):
            number.set(value)
            trueasync.suspend()
            return number.get()

        coroutines = [trueasync.spawn(body, value) for value in (2, 3, 4)]
        trueasync.suspend()
        mine = number.get()
        return mine, [coroutine.result() for coroutine in coroutines], number.get()

    assert run(main) == (1, [2, 3, 4], 1)


def test_main_has_a_copy_of_the_contextvars_of_who_called_run(run):
    def main():
        found = number.get()
        number.set(99)
        return found

    def caller():
        number.set(5)
        return run(main), number.get()

    assert contextvars.copy_context().run(caller) == (5, 5)


def test_a_reused_context_knows_nothing_of_the_contextvars_of_the_last_coroutine():
    def main():
        trueasync.spawn(number.set, 5).result()
        found = [trueasync.spawn(number.get).result() for _ in range(3)]
        return found, trueasync.stats()["contexts_created"]

    assert run_virtual(main) == ([0, 0, 0], 2)


def test_in_place_the_next_coroutine_knows_nothing_of_the_last():
    def main():
        setters = [trueasync.spawn(number.set, n) for n in range(10)]
        getters = [trueasync.spawn(number.get) for _ in range(10)]
        del setters
        return [coroutine.result() for coroutine in getters]

    assert run_virtual(main) == [0] * 10


def test_contextvars_stay_with_their_coroutine_under_every_schedule(seeds):
    def main():
        def body(value, depth):
            number.set(value)
            for _ in range(3):
                trueasync.suspend()
                assert number.get() == value
            if depth:
                child = trueasync.spawn(body, value + 1, depth - 1)
                child.result()
            assert number.get() == value

        for coroutine in [trueasync.spawn(body, n * 100, 3) for n in range(5)]:
            coroutine.result()

    for _ in seeds:
        run_virtual(main)


def test_a_coroutine_spawned_in_an_except_block_sees_no_exception(run):
    def main():
        try:
            raise KeyError("mine")
        except KeyError:
            return trueasync.spawn(sys.exc_info).result()

    assert run(main) == (None, None, None)


def test_a_reused_context_sees_no_exception_of_the_last_coroutine():
    def main():
        def fails():
            raise ValueError

        failed = [trueasync.spawn(fails) for _ in range(3)]
        after = [trueasync.spawn(sys.exc_info) for _ in range(3)]
        found = [coroutine.result() for coroutine in after]
        for coroutine in failed:
            try:
                coroutine.result()
            except ValueError:
                pass
        return found, trueasync.stats()["contexts_created"]

    assert run_virtual(main) == ([(None, None, None)] * 3, 2)


def test_main_sees_no_exception_of_who_called_run(run):
    try:
        raise KeyError("outside")
    except KeyError:
        found = run(sys.exc_info)
        still = sys.exc_info()[0]

    assert found == (None, None, None)
    assert still is KeyError


def test_the_exception_being_handled_stays_with_its_coroutine_under_every_schedule(seeds):
    def main():
        def body(error):
            try:
                raise error
            except Exception:
                for _ in range(4):
                    trueasync.suspend()
                    assert sys.exc_info()[1] is error
                try:
                    raise OSError from error
                except OSError:
                    trueasync.suspend()
                    assert sys.exc_info()[0] is OSError
                assert sys.exc_info()[1] is error
            trueasync.suspend()
            assert sys.exc_info()[1] is None

        errors = [KeyError(1), ValueError(2), TypeError(3), KeyError(4)]
        for coroutine in [trueasync.spawn(body, error) for error in errors]:
            coroutine.result()

    for _ in seeds:
        run_virtual(main)


def test_a_generator_resumed_by_several_coroutines_keeps_the_right_exception():
    def main():
        def generator():
            try:
                raise KeyError("the generator's")
            except KeyError:
                yield sys.exc_info()[0]
                yield sys.exc_info()[0]

        values = generator()
        found = [next(values)]
        found.append(trueasync.spawn(next, values).result())
        found.append(sys.exc_info()[0])
        return found

    assert run_virtual(main) == [KeyError, KeyError, None]

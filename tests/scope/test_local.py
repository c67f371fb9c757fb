"""local: each coroutine has its own attributes, and so has each native thread."""

import gc
import threading
import weakref

import pytest

import trueasync
from trueasync import local, spawn


def test_each_coroutine_sees_its_own(run):
    mine = local()

    def visit(name):
        mine.name = name
        trueasync.suspend()
        return mine.name

    def main():
        mine.name = "main"
        visits = [spawn(visit, name) for name in "abc"]
        return [visit.result() for visit in visits], mine.name

    assert run(main) == (["a", "b", "c"], "main")
    assert not hasattr(mine, "name")


def test_a_coroutine_does_not_see_its_spawners(run):
    mine = local()

    def main():
        mine.name = "main"
        return spawn(hasattr, mine, "name").result()

    assert run(main) is False


def test_native_threads_have_their_own(run):
    mine = local()
    mine.name = "outside"
    seen = []

    def main():
        thread = threading.Thread(target=lambda: seen.append(hasattr(mine, "name")))
        thread.start()
        thread.join()
        return hasattr(mine, "name")

    assert run(main) is False
    assert (seen, mine.name) == ([False], "outside")


def test_an_init_runs_in_each_coroutine_with_the_same_arguments(run):
    class Mine(local):
        made = 0

        def __init__(self, start, *, step):
            type(self).made += 1
            self.value = start
            self.step = step

    mine = Mine(5, step=2)

    def add():
        mine.value += mine.step
        return mine.value

    def main():
        return [spawn(add).result(), spawn(add).result(), add(), add()]

    assert run(main) == [7, 7, 7, 9]
    assert Mine.made == 4
    with pytest.raises(TypeError, match="Initialization arguments"):
        local(1)


def test_what_it_held_goes_with_the_coroutine_and_with_the_local(run):
    class Thing:
        pass

    def visit(mine):
        mine.thing = Thing()
        return weakref.ref(mine.thing)

    def main():
        mine = local()
        ended = spawn(visit, mine)
        thing = ended.result()
        gone_with_coroutine = thing() is None
        mine.thing = Thing()
        thing = weakref.ref(mine.thing)
        del mine
        gc.collect()
        return gone_with_coroutine, thing() is None

    assert run(main) == (True, True)


def test_attributes_properties_and_dict_work_as_ever(run):
    class Mine(local):
        shared = "class"

        @property
        def doubled(self):
            return self.value * 2

        @doubled.setter
        def doubled(self, value):
            self.value = value // 2

    def main():
        mine = Mine()
        mine.doubled = 10
        mine.extra = 1
        del mine.extra
        with pytest.raises(AttributeError):
            _ = mine.extra
        with pytest.raises(AttributeError):
            del mine.extra
        with pytest.raises(AttributeError, match="read-only"):
            mine.__dict__ = {}
        return mine.doubled, mine.shared, mine.__dict__

    assert run(main) == (10, "class", {"value": 5})

"""patch and unpatch: what is put where, also where others have taken it before."""

import select
import sys
import time
import types

import pytest

import trueasync
from trueasync.stdlib import patching
from trueasync.stdlib.imports import forget_import, when_imported

ORIGINAL = time.sleep


@pytest.fixture(autouse=True)
def _unpatched():
    yield
    trueasync.unpatch()
    assert time.sleep is ORIGINAL


@pytest.fixture
def taker():
    """A module that took `sleep` before."""
    module = types.ModuleType("taker")
    module.nap = time.sleep
    sys.modules["taker"] = module
    yield module
    del sys.modules["taker"]


def test_a_patched_call_waits_politely_in_a_coroutine(run):
    def main():
        order = []
        visits = [
            trueasync.spawn(lambda: (time.sleep(0.02), order.append("long"))),
            trueasync.spawn(lambda: (time.sleep(0.01), order.append("short"))),
        ]
        for visit in visits:
            visit.result()
        return order

    with trueasync.patched():
        assert run(main) == ["short", "long"]


def test_outside_a_coroutine_the_original_runs():
    with trueasync.patched():
        before = time.monotonic()
        time.sleep(0.001)
        assert time.monotonic() - before >= 0.001


def test_what_a_module_has_taken_before_is_patched_too(taker):
    trueasync.patch()
    patched = taker.nap
    trueasync.unpatch()

    assert patched is not ORIGINAL
    assert taker.nap is ORIGINAL


def test_what_a_module_takes_meanwhile_is_given_back(taker):
    trueasync.patch()
    taker.later = time.sleep
    trueasync.unpatch()

    assert taker.later is ORIGINAL


def test_what_somebody_else_has_put_there_since_stays():
    other = object()
    trueasync.patch()
    time.sleep = other
    trueasync.unpatch()

    found, time.sleep = time.sleep, ORIGINAL
    assert found is other


def test_patching_twice_is_once(taker):
    trueasync.patch()
    trueasync.patch()
    trueasync.unpatch()

    assert taker.nap is ORIGINAL


def test_patched_leaves_an_earlier_patch_in_force():
    trueasync.patch()
    with trueasync.patched():
        pass

    assert patching.is_patched()


def test_a_wait_of_a_native_thread_is_a_native_one(run):
    import threading

    def main():
        thread = threading.Thread(target=time.sleep, args=(0.001,))
        thread.start()
        thread.join()
        return trueasync.stats()["switches"]

    with trueasync.patched():
        assert run(main) >= 0


@pytest.mark.parametrize("wrong", ["a", None, [], float("nan"), -1])
def test_wrong_arguments_are_refused_as_by_the_original(run, wrong):
    def main():
        with pytest.raises((TypeError, ValueError)) as found:
            time.sleep(wrong)
        return found

    with pytest.raises((TypeError, ValueError)) as native:
        ORIGINAL(wrong)
    with trueasync.patched():
        ours = run(main)
    assert ours.type is native.type
    assert str(ours.value) == str(native.value)


def test_a_class_may_hold_a_patched_function_as_it_may_the_original(run):
    with trueasync.patched():

        class Holder:
            sleep = time.sleep
            select_now = select.select

        def main():
            Holder().sleep(0)
            return Holder().select_now([], [], [], 0)

        assert run(main) == ([], [], [])


# -- when a module has been imported ----------------------------------------------------


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    (tmp_path / "freshly_made.py").write_text("loader = __loader__\nvalue = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "freshly_made"
    sys.modules.pop("freshly_made", None)


def test_an_action_comes_after_the_import_and_sees_the_whole_module(fresh):
    seen = []
    when_imported(fresh, lambda module: seen.append(module.value))
    before = list(seen)

    import freshly_made

    assert (before, seen) == ([], [1])
    assert freshly_made.loader is freshly_made.__loader__ is freshly_made.__spec__.loader
    assert "Loader" not in type(freshly_made.loader).__name__.replace("SourceFileLoader", "")


def test_an_action_for_what_is_there_already_comes_at_once():
    seen = []
    when_imported("sys", seen.append)

    assert seen == [sys]


def test_a_forgotten_action_does_not_come(fresh):
    seen = []
    when_imported(fresh, seen.append)
    forget_import(fresh, seen.append)

    __import__(fresh)

    assert seen == []


def test_a_failed_import_keeps_the_action_for_the_next(fresh, tmp_path):
    seen = []
    when_imported(fresh, seen.append)
    (tmp_path / "freshly_made.py").write_text("1/0\n")
    with pytest.raises(ZeroDivisionError):
        __import__(fresh)
    (tmp_path / "freshly_made.py").write_text("value = 22\n")

    __import__(fresh)

    assert [module.value for module in seen] == [22]

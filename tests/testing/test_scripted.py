"""Scripted: what happens outside a virtual reactor is what the test says."""

import threading

import pytest

import trueasync
from trueasync.runtime import run_on
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import VirtualReactor


def wait(event):
    return running_scheduler("test").wait(event)


def test_readiness_wakes_one_at_a_time_in_order():
    world = VirtualReactor()
    woken = []

    def reader(name):
        wait(world.readable(5))
        woken.append(name)

    def main():
        for name in "abc":
            trueasync.spawn(reader, name)
        trueasync.suspend()
        for _ in range(3):
            assert world.happen("readable", 5) == 1
            trueasync.suspend()

    run_on(world, main)

    assert woken == ["a", "b", "c"]


def test_readiness_is_remembered_for_the_next_who_waits():
    world = VirtualReactor()
    world.happen("writable", 7)

    run_on(world, lambda: wait(world.writable(7)))


def test_anything_else_wakes_all_who_wait_with_its_value():
    world = VirtualReactor()
    heard = []

    def listener():
        heard.append(wait(world.event("signal", 15)).outcome())

    def main():
        trueasync.spawn(listener)
        trueasync.spawn(listener)
        trueasync.suspend()
        assert world.happen("signal", 15, "term") == 2

    run_on(world, main)

    assert heard == ["term", "term"]


def test_closing_a_descriptor_wakes_its_waiters_with_the_reason():
    world = VirtualReactor()

    def main():
        trueasync.spawn(lambda: world.descriptor(5).close(ValueError("enough")))
        with pytest.raises(ValueError, match="enough"):
            wait(world.readable(5)).outcome()

    run_on(world, main)


def test_what_never_happens_is_an_error_and_not_a_hang():
    world = VirtualReactor()

    with pytest.raises(BaseException, match="let them happen"):
        run_on(world, lambda: wait(world.readable(5)))


def test_it_says_what_it_is():
    assert VirtualReactor().readable(5).info() == "readable of 5"


def test_a_thread_may_post():
    world = VirtualReactor()

    def main():
        event = world.event("news", 1)
        thread = threading.Thread(target=lambda: world.post(lambda: world.happen("news", 1, 42)))
        trueasync.spawn(thread.start)
        found = wait(event).outcome()
        thread.join()
        return found

    assert run_on(world, main) == 42

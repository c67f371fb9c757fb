"""The two phases of a shutdown: a clean-up may wait in the graceful one, not in the hard one."""

import sys

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler
from trueasync.testing import run as run_virtual

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


def fails(text="the error"):
    raise ValueError(text)


def wait_forever():
    running_scheduler("test").wait(Event())


def test_the_clean_up_may_wait_and_spawn_in_the_graceful_phase():
    seen = []

    def body():
        try:
            trueasync.sleep(60)
        finally:
            trueasync.sleep(5)
            seen.append(trueasync.spawn(lambda: "helper").result())

    def main():
        trueasync.spawn(body)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert seen == ["helper"]


def test_when_the_grace_is_over_everyone_is_cancelled_again():
    times = []

    def body():
        clock = running_scheduler("test").reactor
        try:
            trueasync.sleep(3600)
        finally:
            try:
                trueasync.sleep(3600)
            finally:
                times.append(clock.now())

    def main():
        trueasync.spawn(body)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert times == [10.0]


def test_in_the_hard_phase_each_wait_is_refused_and_those_who_can_run_do():
    seen = []

    def stubborn():
        for _ in range(5):
            try:
                trueasync.sleep(3600)
            except Cancelled:
                seen.append("refused")

    def main():
        trueasync.spawn(stubborn)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert seen == ["refused"] * 5


def test_in_the_hard_phase_nothing_can_be_spawned():
    seen = []

    def body():
        for _ in range(2):
            try:
                trueasync.sleep(3600)
            except Cancelled:
                pass
        try:
            trueasync.spawn(int)
        except trueasync.UsageError as error:
            seen.append(str(error))

    def main():
        trueasync.spawn(body)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert seen == ["the run is being shut down; nothing can be spawned any more"]


def test_a_clean_up_that_waits_for_another_gets_its_answer_in_the_hard_phase():
    seen = []

    def server(question, answer):
        while True:
            try:
                running_scheduler("test").wait(question)
                break
            except Cancelled:
                pass
        answer.fire("answered")

    def client(question, answer):
        try:
            wait_forever()
        finally:
            question.fire()
            for _ in range(20):
                try:
                    running_scheduler("test").wait(answer)
                    break
                except Cancelled:
                    pass
            seen.append(answer.fired)

    def main():
        question, answer = Event(), Event()
        trueasync.spawn(server, question, answer)
        trueasync.spawn(client, question, answer)
        trueasync.suspend()
        fails()

    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert seen == [True]


def test_a_clean_up_that_swallows_the_cancellation_and_ends_is_let_be():
    def body():
        try:
            trueasync.sleep(3600)
        except Cancelled:
            return "value"

    def main():
        held.append(trueasync.spawn(body))
        trueasync.suspend()
        fails()

    held = []
    with pytest.raises(ValueError, match="the error"):
        run_virtual(main)
    assert held.pop().result() == "value"


def test_an_error_in_the_graceful_phase_does_not_restart_the_grace():
    times = []

    def fails_late():
        try:
            trueasync.sleep(3600)
        finally:
            trueasync.sleep(9)
            fails("late")

    def waits_long():
        clock = running_scheduler("test").reactor
        try:
            trueasync.sleep(3600)
        finally:
            try:
                trueasync.sleep(3600)
            finally:
                times.append(clock.now())

    def main():
        trueasync.spawn(fails_late)
        trueasync.spawn(waits_long)
        trueasync.suspend()
        fails()

    with pytest.raises(ExceptionGroup) as raised:
        run_virtual(main)
    assert [str(error) for error in raised.value.exceptions] == ["the error", "late"]
    assert times == [10.0]

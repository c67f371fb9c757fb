"""How a cancelled coroutine ends, and what others see: a cancellation is known by identity."""

import pytest

import trueasync
from trueasync import Cancelled
from trueasync.testing import run as run_virtual


def test_a_caught_cancellation_lets_the_coroutine_go_on(run):
    def main():
        def body():
            try:
                trueasync.sleep(60)
            except Cancelled:
                trueasync.sleep(0.001)
                return "went on"

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        return coroutine.result(), coroutine.cancelled()

    assert run(main) == ("went on", False)


def test_except_exception_lets_a_cancellation_pass():
    def main():
        def body():
            try:
                trueasync.sleep(60)
            except Exception:
                return "caught"

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return coroutine.cancelled()

    assert run_virtual(main)


def test_an_error_in_the_clean_up_replaces_the_cancellation():
    def main():
        def body():
            try:
                trueasync.sleep(60)
            finally:
                raise OSError("while closing")

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(OSError, match="while closing") as raised:
            coroutine.result()
        return type(raised.value.__context__), coroutine.cancelled()

    assert run_virtual(main) == (Cancelled, False)


def test_a_cancelled_of_someone_elses_making_is_an_error():
    def main():
        def body():
            raise Cancelled("of my own making")

        coroutine = trueasync.spawn(body)
        with pytest.raises(Cancelled, match="of my own making"):
            coroutine.result()
        return coroutine.cancelled()

    assert run_virtual(main) is False


def test_the_cancellation_of_another_coroutine_is_an_error_for_who_waits():
    def main():
        other = trueasync.spawn(trueasync.sleep, 60)
        asker = trueasync.spawn(other.result)
        trueasync.suspend()
        other.cancel()
        with pytest.raises(Cancelled):
            asker.result()
        return other.cancelled(), asker.cancelled()

    assert run_virtual(main) == (True, False)


def test_who_asks_for_a_cancelled_result_does_not_get_the_cancellation_itself():
    def main():
        caught = []

        def body():
            try:
                trueasync.sleep(60)
            except Cancelled as cancelled:
                caught.append(cancelled)
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        for _ in range(2):
            with pytest.raises(Cancelled) as raised:
                coroutine.result()
            caught.append(raised.value)
        return len({id(one) for one in caught})

    assert run_virtual(main) == 3

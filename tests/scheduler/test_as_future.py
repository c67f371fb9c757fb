"""What other threads see of a coroutine, and the functions of concurrent.futures and asyncio."""

import asyncio
import concurrent.futures
import functools
import threading

import pytest

import trueasync
from trueasync import Cancelled, await_, scope, sleep, spawn, suspend
from trueasync.events.event import Event


def forever():
    # Not a long sleep: in virtual time that may be over before a thread has done anything.
    await_(Event())


def fail(error):
    sleep(0.001)
    raise error


def in_thread(function, *args):
    """`function(*args)` in a native thread, while the caller's coroutine waits."""
    done = trueasync.Trigger()
    outcome = []

    def work():
        try:
            outcome.append((function(*args), None))
        except BaseException as error:
            outcome.append((None, error))
        done.fire()

    thread = threading.Thread(target=work)
    thread.start()
    done.wait()
    thread.join()
    value, error = outcome.pop()
    if error is not None:
        raise error
    return value


# -- from another thread ------------------------------------------------------------------------


def test_another_thread_gets_the_result(run):
    def main():
        coroutine = spawn(lambda: (sleep(0.002), "value")[1])
        return in_thread(coroutine.result)

    assert run(main) == "value"


def test_another_thread_gets_the_error(run):
    def main():
        with scope(on_error=lambda coroutine, error: True) as s:
            coroutine = s.spawn(fail, OSError("broken"))
            with pytest.raises(OSError, match="broken"):
                in_thread(coroutine.result)
        return str(in_thread(coroutine.exception))

    assert run(main) == "broken"


def test_another_thread_does_not_wait_for_what_is_done(run):
    def main():
        coroutine = spawn(int, "7")
        coroutine.result()
        return in_thread(coroutine.result, 0)

    assert run(main) == 7


def test_another_thread_waits_no_longer_than_it_says():
    def main():
        coroutine = trueasync.options(name="slow").spawn(forever)
        with pytest.raises(TimeoutError, match=r"slow has not finished within 0\.001 s") as raised:
            in_thread(coroutine.result, 0.001)
        coroutine.cancel()
        return isinstance(raised.value, concurrent.futures.TimeoutError)

    assert trueasync.run(main)


def test_another_thread_may_cancel(run):
    def main():
        coroutine = spawn(forever)
        suspend()
        answer = in_thread(coroutine.cancel)
        with pytest.raises(Cancelled):
            coroutine.result()
        return answer, coroutine.cancelled(), in_thread(coroutine.cancel)

    assert run(main) == (True, True, False)


def test_another_thread_hears_of_a_cancellation_as_of_that_of_any_future(run):
    def main():
        coroutine = spawn(forever)
        coroutine.cancel()
        with pytest.raises(concurrent.futures.CancelledError) as raised:
            in_thread(coroutine.result)
        return isinstance(raised.value, Cancelled), isinstance(raised.value, Exception)

    assert run(main) == (True, True)


def test_a_callback_from_another_thread_is_called_in_the_thread_of_the_run(run):
    def main():
        called = []
        coroutine = spawn(sleep, 0.002)
        note = functools.partial(lambda done: called.append(threading.get_ident()))
        in_thread(coroutine.add_done_callback, note)
        coroutine.result()
        return called == [threading.get_ident()]

    assert run(main)


def test_a_coroutine_of_another_run_waits_while_its_own_run_goes_on(run):
    def main():
        coroutine = spawn(lambda: (sleep(0.005), "value")[1])

        def other_main():
            ticks = []

            def tick():
                while not ticks or ticks[-1] != "end":
                    ticks.append(1)
                    sleep(0.001)

            ticking = spawn(tick)
            value = coroutine.result()
            ticks.append("end")
            ticking.result()
            return value

        return in_thread(trueasync.run, other_main)

    assert run(main) == "value"


def test_a_coroutine_of_another_run_waits_no_longer_than_it_says():
    def main():
        coroutine = trueasync.options(name="slow").spawn(forever)

        def other_main():
            with pytest.raises(TimeoutError, match="slow has not finished within"):
                coroutine.result(0.001)

        in_thread(trueasync.run, other_main)
        coroutine.cancel()

    trueasync.run(main)


def test_many_threads_wait_for_one(run):
    def main():
        coroutine = spawn(lambda: (sleep(0.005), "value")[1])
        got = []
        threads = [
            threading.Thread(target=lambda: got.append(coroutine.result())) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        coroutine.result()
        done = trueasync.Trigger()
        joiner = threading.Thread(
            target=lambda: ([thread.join() for thread in threads], done.fire())
        )
        joiner.start()
        done.wait()
        joiner.join()
        return got

    assert run(main) == ["value"] * 8


# -- the functions of concurrent.futures and asyncio ----------------------------------------


def mixed():
    with scope(on_error=lambda coroutine, error: True) as s:
        good = s.spawn(lambda: (sleep(0.002), "value")[1])
        bad = s.spawn(fail, OSError("broken"))
        gone = s.spawn(forever)
        gone.cancel()
        yield good, bad, gone


def test_wait_takes_them(run):
    def main():
        for kinds in mixed():
            done, not_done = in_thread(concurrent.futures.wait, kinds)
            assert done == set(kinds)
            assert not not_done

    run(main)


def test_wait_for_the_first_error_takes_them(run):
    def main():
        for good, bad, _ in mixed():
            when = concurrent.futures.FIRST_EXCEPTION
            done, _ = in_thread(concurrent.futures.wait, (good, bad), None, when)
            assert bad in done

    run(main)


def test_as_completed_takes_them(run):
    def main():
        for kinds in mixed():
            found = in_thread(lambda kinds=kinds: list(concurrent.futures.as_completed(kinds)))
            assert set(found) == set(kinds)
            assert found[-1] is kinds[0]

    run(main)


def test_they_mix_with_other_futures(run):
    def main():
        coroutine = spawn(lambda: (sleep(0.002), "value")[1])

        def work():
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                both = [coroutine, pool.submit(str, "thread")]
                return sorted(f.result() for f in concurrent.futures.as_completed(both))

        return in_thread(work)

    assert run(main) == ["thread", "value"]


@pytest.mark.parametrize("which", ["good", "bad", "gone", "done"])
def test_asyncio_wrap_future_takes_them(run, which):
    async def ask(coroutine):
        return await asyncio.wrap_future(coroutine)

    def main():
        for good, bad, gone in mixed():
            if which == "good":
                return in_thread(asyncio.run, ask(good))
            if which == "done":
                good.result()
                return in_thread(asyncio.run, ask(good))
            kind = OSError if which == "bad" else asyncio.CancelledError
            with pytest.raises(kind):
                in_thread(asyncio.run, ask(bad if which == "bad" else gone))
        return "value"

    assert run(main) == "value"


def test_cancelling_the_asyncio_side_cancels_the_coroutine(run):
    async def give_up(coroutine):
        future = asyncio.wrap_future(coroutine)
        future.cancel()
        await asyncio.sleep(0)

    def main():
        coroutine = spawn(forever)
        suspend()
        in_thread(asyncio.run, give_up(coroutine))
        with pytest.raises(Cancelled):
            coroutine.result()
        return coroutine.cancelled()

    assert run(main)


def test_after_the_run_everything_can_be_asked(run):
    kept = []

    def main():
        kept.append(spawn(int, "7"))
        kept.append(spawn(forever))
        kept[1].cancel()

    run(main)
    done, _ = concurrent.futures.wait(kept)
    assert done == set(kept)
    assert kept[0].result() == 7
    with pytest.raises(Cancelled):
        kept[1].result()
    assert kept[1].cancel() is False
    kept.clear()

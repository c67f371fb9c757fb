"""iterate, when something goes wrong: an error, a cancellation, an end that must wait."""

import itertools

import pytest

import trueasync
from trueasync import Cancelled, current_coroutine, iterate, options, sleep, spawn, suspend
from trueasync.testing import run


def clean_up_slowly(log, item):
    """Waits for long; when it is cancelled, waits again and then notes it."""
    try:
        sleep(100)
    finally:
        sleep(1)
        log.append(item)


# -- errors ------------------------------------------------------------------------------


def test_the_error_of_a_call_is_raised_where_iterate_was_called():
    def fail(item):
        raise LookupError(item)

    with pytest.raises(LookupError, match="7"):
        run(iterate, [7], fail)


def test_after_an_error_no_further_item_is_taken(seeds):
    for schedule in seeds:
        items = iter(range(100))

        def work(item):
            suspend()
            if item == 3:
                raise LookupError

        with pytest.raises(LookupError):
            run(iterate, items, work, 2)

        # The other worker may have gone on until it heard of the error.
        assert next(items) < 60, schedule


def test_the_others_are_cancelled_and_have_ended_before_the_error_is_raised(seeds):
    for schedule in seeds:
        cleaned = []

        def work(item, cleaned=cleaned):
            if item == 4:
                suspend()
                raise LookupError
            clean_up_slowly(cleaned, item)

        def main(work=work, cleaned=cleaned):
            with pytest.raises(LookupError):
                iterate(range(5), work)
            return sorted(cleaned), trueasync.get_coroutines()

        at_the_raise, coroutines = run(main)

        assert at_the_raise == [0, 1, 2, 3], schedule
        assert len(coroutines) == 1


def test_the_first_error_is_raised_and_the_later_ones_are_its_cause(seeds):
    for schedule in seeds:

        def work(item):
            if item == 2:
                suspend()
                raise LookupError("first")
            try:
                sleep(100)
            finally:
                raise OSError(f"later {item}")

        with pytest.raises(LookupError, match="first") as caught:
            run(iterate, range(3), work)

        later = caught.value.__cause__.exceptions
        assert sorted(map(str, later)) == ["later 0", "later 1"], schedule
        del caught, later


def test_a_lonely_error_has_no_cause():
    def fail(item):
        raise LookupError

    with pytest.raises(LookupError) as caught:
        run(iterate, [1], fail)

    assert caught.value.__cause__ is None


def test_the_error_of_the_iterator_ends_the_iteration(seeds):
    for schedule in seeds:
        cleaned = []

        def items():
            yield 0
            yield 1
            suspend()
            raise LookupError("from the iterator")

        with pytest.raises(LookupError, match="from the iterator"):
            run(iterate, items(), lambda item, log=cleaned: clean_up_slowly(log, item))

        assert sorted(cleaned) == [0, 1], schedule


def test_the_error_of_iter_itself_is_raised():
    class Broken:
        def __iter__(self):
            raise LookupError("from iter")

    with pytest.raises(LookupError, match="from iter"):
        run(iterate, Broken(), print)


def test_an_error_that_ends_programs_wins_as_any_other_does():
    def leave(item):
        raise SystemExit(item)

    with pytest.raises(SystemExit) as caught:
        run(iterate, [5], leave)

    assert caught.value.code == 5


def test_stop_iteration_from_a_call_is_an_error_and_not_the_end():
    def work(item):
        next(iter([]))

    with pytest.raises(StopIteration):
        run(iterate, range(3), work)


def test_the_cancellation_of_somebody_else_is_an_error_like_any_other(seeds):
    for schedule in seeds:

        def main():
            gone = spawn(sleep, 100)
            gone.cancel()

            def work(item):
                sleep(1)  # by now, the other worker has seen the end of the items
                if item == 0:
                    gone.result()

            iterate([0, 1], work)

        with pytest.raises(Cancelled):
            run(main)
        assert schedule


def test_a_worker_that_somebody_cancels_ends_the_iteration(seeds):
    for schedule in seeds:
        seen = []

        def work(item, seen=seen):
            if item == 0:
                current_coroutine().cancel()
            sleep(1)
            seen.append(item)

        def main(work=work):
            iterate(range(3), work)

        with pytest.raises(Cancelled):
            run(main)
        assert 0 not in seen, schedule


def test_a_worker_cancelled_before_it_began_does_not_lose_the_items():
    def main():
        caller = options(priority=255).spawn(iterate, range(3), print)
        suspend()
        worker = trueasync.get_coroutines()[-1]
        worker.cancel()
        caller.result()

    with pytest.raises(Cancelled):
        run(main)


# -- the caller is cancelled -------------------------------------------------------------


def outcome_of_cancelled(caller):
    with pytest.raises(Cancelled):
        caller.result()
    return caller.cancelled(), trueasync.get_coroutines()


def test_a_caller_that_was_cancelled_before_begins_nothing():
    seen = []

    def caller():
        current_coroutine().cancel()
        iterate(range(3), lambda item: (sleep(1), seen.append(item)))

    def main():
        return outcome_of_cancelled(spawn(caller))

    cancelled, coroutines = run(main)

    assert cancelled
    assert len(coroutines) == 1
    assert seen == []


@pytest.mark.parametrize("after", range(8))
def test_cancelling_the_caller_cancels_the_calls_and_waits_for_them(after, seeds):
    # After 0, 1, 2 ... turns the workers are not there, new, at work, waiting.
    for schedule in seeds:
        begun, ended = [], []

        def work(item, begun=begun, ended=ended):
            begun.append(item)
            clean_up_slowly(ended, item)

        def main(work=work):
            caller = spawn(iterate, range(4), work, 2)
            for _ in range(after):
                suspend()
            caller.cancel()
            return outcome_of_cancelled(caller)

        cancelled, coroutines = run(main)

        assert cancelled, schedule
        assert len(coroutines) == 1, schedule
        assert sorted(ended) == begun, schedule


def test_a_worker_that_has_not_started_does_not_hold_the_caller():
    def main():
        caller = options(priority=255).spawn(iterate, range(4), lambda item: sleep(1))
        suspend()  # it has spawned a worker, which is behind us
        caller.cancel()
        return outcome_of_cancelled(caller)

    cancelled, coroutines = run(main)

    assert cancelled
    assert len(coroutines) == 1


def test_cancelling_the_caller_in_an_infinite_iteration_ends_it(seeds):
    for schedule in seeds:

        def main():
            caller = spawn(iterate, itertools.count(), lambda item: suspend(), 3)
            for _ in range(10):
                suspend()
            caller.cancel()
            return outcome_of_cancelled(caller)

        cancelled, coroutines = run(main)

        assert cancelled, schedule
        assert len(coroutines) == 1


def test_cancelling_the_caller_while_the_iterator_waits_ends_the_iterator():
    ended = []

    def items():
        try:
            yield 1
            sleep(100)
            yield 2
        finally:
            ended.append("iterator")

    def main():
        caller = spawn(iterate, items(), lambda item: ended.append("call"))
        sleep(1)
        caller.cancel()
        return outcome_of_cancelled(caller)

    cancelled, coroutines = run(main)

    assert cancelled
    assert len(coroutines) == 1
    assert ended == ["call", "iterator"]


def test_cancelling_the_caller_during_the_clean_up_still_waits_for_it():
    ended = []

    def fail_or_wait(item):
        if item == 2:
            suspend()
            raise LookupError
        clean_up_slowly(ended, item)

    def main():
        caller = spawn(iterate, range(3), fail_or_wait)
        sleep(0.5)  # the error is there, the clean-up takes a second
        caller.cancel()
        with pytest.raises((Cancelled, LookupError)):
            caller.result()
        return sorted(ended), trueasync.get_coroutines()

    at_the_end, coroutines = run(main)

    assert at_the_end == [0, 1]
    assert len(coroutines) == 1


def test_the_error_of_a_clean_up_is_not_lost_when_the_caller_is_cancelled():
    def work(item):
        try:
            sleep(100)
        finally:
            raise OSError("from the clean-up")

    def main():
        caller = spawn(iterate, [1], work)
        sleep(1)
        caller.cancel()
        try:
            caller.result()
        except BaseException as error:
            return error

    error = run(main)
    chain = []
    while error is not None:
        chain.append(repr(error))
        error = error.__cause__ or error.__context__

    assert any("from the clean-up" in link for link in chain), chain


# -- what is left ------------------------------------------------------------------------


def test_a_generator_is_closed_as_a_for_loop_would_close_it(seeds):
    for schedule in seeds:
        closed = []

        def items(closed=closed):
            try:
                yield from range(10)
            finally:
                closed.append("closed")

        def work(item):
            suspend()
            if item == 2:
                raise LookupError

        def main(items=items, closed=closed):
            try:
                iterate(items(), work, 2)
            except LookupError:
                pass
            return list(closed)

        assert run(main) == ["closed"], schedule


def test_a_finished_iteration_keeps_nothing_alive():
    class Item:
        def __del__(self):
            dropped.append("item")

    dropped = []

    def main():
        iterate([Item()], lambda item: suspend())
        return list(dropped)

    assert run(main) == ["item"]

"""What a coroutine raised: who gets it, and with which traceback."""

import traceback

import pytest

import trueasync


def fails():
    raise ValueError("the error")


def names(error):
    return [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def test_result_raises_what_the_function_raised(run):
    def main():
        with pytest.raises(ValueError, match="the error"):
            trueasync.spawn(fails).result()

    run(main)


def test_result_raises_the_very_object(run):
    error = ValueError("the error")

    def fails_with_it():
        raise error

    def main():
        coroutine = trueasync.spawn(fails_with_it)
        with pytest.raises(ValueError, match="the error") as raised:
            coroutine.result()
        return raised.value is error

    assert run(main)


def test_the_traceback_ends_with_the_users_frames(run):
    def outer():
        fails()

    def main():
        with pytest.raises(ValueError, match="the error") as raised:
            trueasync.spawn(outer).result()
        return names(raised.value)[-2:]

    assert run(main) == ["outer", "fails"]


def test_between_the_asker_and_the_users_first_frame_stands_nothing_but_result(run):
    def main():
        try:
            trueasync.spawn(fails).result()
        except ValueError as error:
            return names(error)

    first, *between, last = run(main)
    assert (first, last) == ("main", "fails")
    assert all("result" in name or "outcome" in name for name in between)


def test_a_repeated_result_does_not_grow_the_traceback(run):
    def ask(coroutine):
        with pytest.raises(ValueError, match="the error") as raised:
            coroutine.result()
        return names(raised.value)

    def main():
        coroutine = trueasync.spawn(fails)
        return [ask(coroutine) for _ in range(5)]

    first, *later = run(main)
    assert all(found == first for found in later)


def test_two_askers_at_once_do_not_see_each_other_in_the_traceback(run):
    def one(coroutine):
        coroutine.result()

    def other(coroutine):
        coroutine.result()

    def main():
        coroutine = trueasync.spawn(fails)
        found = []
        for asker in [trueasync.spawn(ask, coroutine) for ask in (one, other)]:
            with pytest.raises(ValueError, match="the error") as raised:
                asker.result()
            found.append(names(raised.value))
        return found

    of_one, of_other = run(main)
    assert "one" in of_one
    assert "other" not in of_one
    assert "other" in of_other
    assert "one" not in of_other


def test_the_error_of_main_comes_out_of_run_with_the_frames_of_main(run):
    def main():
        fails()

    with pytest.raises(ValueError, match="the error") as raised:
        run(main)

    assert names(raised.value)[-2:] == ["main", "fails"]


def test_an_error_has_no_context_it_did_not_have(run):
    def main():
        try:
            raise KeyError("handled here")
        except KeyError:
            coroutine = trueasync.spawn(fails)
            trueasync.suspend()
        with pytest.raises(ValueError, match="the error") as raised:
            coroutine.result()
        return raised.value.__context__

    assert run(main) is None


def test_what_an_error_was_raised_from_is_kept(run):
    def fails_from():
        try:
            fails()
        except ValueError as error:
            raise KeyError("second") from error

    def main():
        with pytest.raises(KeyError) as raised:
            trueasync.spawn(fails_from).result()
        return repr(raised.value.__cause__)

    assert run(main) == "ValueError('the error')"


def test_a_base_exception_is_an_error_like_any_other(run):
    class Odd(BaseException):
        pass

    def odd():
        raise Odd

    def main():
        with pytest.raises(Odd):
            trueasync.spawn(odd).result()
        return "went on"

    assert run(main) == "went on"


def test_stop_iteration_is_an_error_like_any_other(run):
    def stops():
        raise StopIteration("value")

    def main():
        with pytest.raises(StopIteration, match="value"):
            trueasync.spawn(stops).result()

    run(main)


def test_a_call_with_wrong_arguments_is_the_error_of_the_coroutine(run):
    def main():
        with pytest.raises(TypeError, match="positional argument"):
            trueasync.spawn(fails, 1).result()

    run(main)


def test_a_recursion_without_end_is_the_error_of_its_coroutine(run):
    def deeper():
        return deeper()

    def main():
        with pytest.raises(RecursionError):
            trueasync.spawn(deeper).result()
        return trueasync.spawn(lambda: "fine").result()

    assert run(main) == "fine"

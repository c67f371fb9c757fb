"""sys.stdout and sys.stderr: each coroutine has its own redirection, and nobody sees another's."""

import contextlib
import io
import sys

import pytest

import trueasync


@pytest.fixture(params=["stdout", "stderr"])
def stream(request):
    return request.param


@pytest.fixture
def redirected(stream):
    """The contextlib function for `stream`."""
    return {"stdout": contextlib.redirect_stdout, "stderr": contextlib.redirect_stderr}[stream]


def say(stream, text):
    print(text, end=" ", file=getattr(sys, stream))


def test_what_one_coroutine_redirects_does_not_show_in_another(run, stream, redirected, capsys):
    def main():
        inside = io.StringIO()

        def redirects():
            with redirected(inside):
                say(stream, "one")
                trueasync.sleep(0.001)
                say(stream, "two")
            say(stream, "after")

        coroutine = trueasync.spawn(redirects)
        trueasync.suspend()
        say(stream, "other")
        coroutine.result()
        return inside.getvalue()

    assert run(main) == "one two "
    outside = capsys.readouterr()
    assert {"stdout": outside.out, "stderr": outside.err}[stream] == "other after "


def test_many_coroutines_may_redirect_at_once(run, stream, redirected):
    def main():
        def body(n):
            inside = io.StringIO()
            with redirected(inside):
                for _ in range(3):
                    say(stream, n)
                    trueasync.suspend()
                    trueasync.sleep(0.001 * (n % 3))
            return inside.getvalue()

        return [c.result() for c in [trueasync.spawn(body, n) for n in range(10)]]

    assert run(main) == [f"{n} {n} {n} " for n in range(10)]


def test_redirections_nest(run, stream, redirected):
    def main():
        outer, inner = io.StringIO(), io.StringIO()

        def body():
            with redirected(outer):
                say(stream, "a")
                trueasync.suspend()
                with redirected(inner):
                    trueasync.suspend()
                    say(stream, "b")
                    trueasync.suspend()
                trueasync.suspend()
                say(stream, "c")

        coroutine = trueasync.spawn(body)
        trueasync.spawn(lambda: [trueasync.suspend() for _ in range(10)])
        coroutine.result()
        return outer.getvalue(), inner.getvalue()

    assert run(main) == ("a c ", "b ")


def test_one_redirection_object_may_be_used_twice(run, stream, redirected):
    def main():
        inside = io.StringIO()
        both = redirected(inside)
        before = getattr(sys, stream)
        with both:
            with both:
                trueasync.sleep(0.001)
                say(stream, "a")
            trueasync.sleep(0.001)
            say(stream, "b")
        trueasync.sleep(0.001)
        return inside.getvalue(), getattr(sys, stream) is before

    assert run(main) == ("a b ", True)


def test_stdout_and_stderr_are_redirected_each_for_itself(run):
    def main():
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out):
            trueasync.sleep(0.001)
            with contextlib.redirect_stderr(err):
                trueasync.sleep(0.001)
                say("stdout", "out")
                say("stderr", "err")
            trueasync.sleep(0.001)
            say("stdout", "out")
        return out.getvalue(), err.getvalue()

    assert run(main) == ("out out ", "err ")


def test_both_may_point_to_the_same_place(run):
    def main():
        both = io.StringIO()
        with contextlib.redirect_stdout(both), contextlib.redirect_stderr(both):
            say("stdout", "a")
            trueasync.sleep(0.001)
            say("stderr", "b")
        return both.getvalue()

    assert run(main) == "a b "


def test_a_spawned_coroutine_does_not_inherit_the_redirection(run, stream, redirected):
    def main():
        outside = getattr(sys, stream)
        with redirected(io.StringIO()):
            child = trueasync.spawn(lambda: getattr(sys, stream) is outside)
            return child.result()

    assert run(main)


def test_a_coroutine_started_in_place_of_one_that_redirects_does_not_inherit_it(
    run, stream, redirected
):
    def main():
        outside = getattr(sys, stream)
        held = []

        def leaves_it_open():
            held.append(redirected(io.StringIO()))
            held[0].__enter__()

        trueasync.spawn(leaves_it_open)
        child = trueasync.spawn(lambda: getattr(sys, stream) is outside)
        return child.result(), getattr(sys, stream) is outside

    assert run(main) == (True, True)


def test_inherit_output_lets_a_spawned_coroutine_write_where_its_spawner_does(
    run, stream, redirected
):
    def main():
        inside = io.StringIO()

        def child(text):
            say(stream, text)
            trueasync.sleep(0.001)
            say(stream, text)
            return "result"

        with redirected(inside):
            coroutine = trueasync.spawn(trueasync.inherit_output(child), "child")
            trueasync.suspend()
            say(stream, "parent")
        say(stream, "")
        return coroutine.result(), inside.getvalue()

    assert run(main) == ("result", "child parent child ")


def test_inherit_output_keeps_the_name_of_the_function():
    def job():
        pass

    assert trueasync.inherit_output(job).__name__ == "job"


def test_inherit_output_passes_on_arguments_and_errors(run):
    def main():
        with pytest.raises(ValueError, match="3"):
            trueasync.spawn(
                trueasync.inherit_output(lambda n, *, m: int(f"x{n + m}")), 1, m=2
            ).result()

    run(main)


def test_an_exception_inside_ends_the_redirection(run, stream, redirected):
    def main():
        outside = getattr(sys, stream)
        try:
            with redirected(io.StringIO()):
                trueasync.sleep(0.001)
                raise ZeroDivisionError
        except ZeroDivisionError:
            trueasync.sleep(0.001)
        return getattr(sys, stream) is outside

    assert run(main)


def test_a_cancellation_inside_ends_the_redirection(run, stream, redirected):
    def main():
        outside = getattr(sys, stream)
        inside = io.StringIO()

        def body():
            try:
                with redirected(inside):
                    trueasync.sleep(60)
            finally:
                assert getattr(sys, stream) is outside
                trueasync.sleep(0.001)
                assert getattr(sys, stream) is outside

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        with pytest.raises(trueasync.Cancelled):
            coroutine.result()
        return getattr(sys, stream) is outside

    assert run(main)


def redirecting(redirected, into):
    """A generator that is inside its `with` while it is held."""
    with redirected(into):
        yield


def test_a_coroutine_that_ends_inside_its_with_takes_the_redirection_along(run, stream, redirected):
    def main():
        outside = getattr(sys, stream)
        held = []

        def body():
            held.append(redirecting(redirected, io.StringIO()))
            next(held[0])

        trueasync.spawn(body).result()
        during = getattr(sys, stream) is outside
        held[0].close()
        return during, getattr(sys, stream) is outside

    assert run(main) == (True, True)


def test_closing_the_generator_of_another_coroutine_does_not_end_ones_own_redirection(
    run, stream, redirected
):
    def main():
        held, mine = [], io.StringIO()

        def body():
            held.append(redirecting(redirected, io.StringIO()))
            next(held[0])

        with redirected(mine):
            trueasync.spawn(body).result()
            held[0].close()
            return getattr(sys, stream) is mine

    assert run(main)


def test_a_generator_that_redirects_may_be_handed_to_another_coroutine(run, stream, redirected):
    def main():
        outside = getattr(sys, stream)
        generator = redirecting(redirected, io.StringIO())
        next(generator)
        trueasync.spawn(lambda: next(generator, None)).result()
        trueasync.sleep(0.001)
        # Its `with` has ended, though in another coroutine.
        seen = getattr(sys, stream)
        setattr(sys, stream, outside)
        return seen is not None

    assert run(main)


def test_a_redirection_around_run_is_seen_by_all_coroutines(run, stream, redirected):
    inside = io.StringIO()

    def main():
        say(stream, "main")
        trueasync.spawn(say, stream, "child").result()
        with redirected(io.StringIO()):
            trueasync.sleep(0.001)
            say(stream, "hidden")
        say(stream, "main")

    with redirected(inside):
        run(main)

    assert inside.getvalue() == "main child main "


def test_redirections_outside_any_run_work_as_ever(stream, redirected):
    outside = getattr(sys, stream)
    inside = io.StringIO()

    with redirected(inside) as target:
        say(stream, "text")

    assert inside.getvalue() == "text "
    assert target is inside
    assert getattr(sys, stream) is outside


def test_the_redirection_gives_its_target_to_the_with(run, redirected):
    inside = io.StringIO()

    def main():
        with redirected(inside) as target:
            return target is inside

    assert run(main)


def test_a_stream_replaced_by_hand_for_everyone_stays_replaced(run, stream, redirected):
    def main():
        before = getattr(sys, stream)
        everyone = io.StringIO()

        def redirects():
            with redirected(io.StringIO()):
                trueasync.suspend()
                trueasync.suspend()
            return getattr(sys, stream) is everyone

        coroutine = trueasync.spawn(redirects)
        trueasync.suspend()
        setattr(sys, stream, everyone)
        try:
            answer = coroutine.result()
            return answer, getattr(sys, stream) is everyone
        finally:
            setattr(sys, stream, before)

    assert run(main) == (True, True)


def test_a_coroutine_that_redirects_and_is_cancelled_before_it_starts_changes_nothing(run, stream):
    def main():
        outside = getattr(sys, stream)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            coroutine = trueasync.spawn(trueasync.inherit_output(int))
        coroutine.cancel()
        trueasync.sleep(0.001)
        return getattr(sys, stream) is outside

    assert run(main)


def test_each_sees_only_its_own_under_every_schedule(seeds):
    from trueasync.testing import run

    def main():
        outside = sys.stdout

        def body(n):
            for _ in range(2):
                inside = io.StringIO()
                with contextlib.redirect_stdout(inside):
                    for _ in range(n % 3):
                        trueasync.suspend()
                        assert sys.stdout is inside
                    nested = io.StringIO()
                    with contextlib.redirect_stdout(nested):
                        trueasync.suspend()
                        assert sys.stdout is nested
                    trueasync.suspend()
                    assert sys.stdout is inside
                trueasync.suspend()
                assert sys.stdout is outside

        def plain():
            for _ in range(6):
                assert sys.stdout is outside
                trueasync.suspend()

        for n in range(6):
            trueasync.spawn(body, n)
            trueasync.spawn(plain)

    for _ in seeds:
        run(main)

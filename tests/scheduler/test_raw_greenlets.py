"""Code that runs greenlets of its own inside a coroutine, as SQLAlchemy and Playwright do."""

import greenlet

import trueasync
from trueasync.events.event import Event
from trueasync.scheduler.calls import running_scheduler


def test_a_wait_inside_a_greenlet_of_the_user_resumes_in_that_greenlet(run):
    def main():
        seen = []

        def inner():
            here = greenlet.getcurrent()
            trueasync.sleep(0.001)
            seen.append(greenlet.getcurrent() is here)
            trueasync.suspend()
            seen.append(greenlet.getcurrent() is here)
            return "inner"

        result = greenlet.greenlet(inner).switch()
        return result, seen

    assert run(main) == ("inner", [True, True])


def test_many_coroutines_may_each_wait_inside_a_greenlet_of_their_own(run):
    def main():
        def body(n):
            def inner():
                for _ in range(3):
                    trueasync.suspend()
                    trueasync.sleep(0.001 * (n % 3))
                return n

            return greenlet.greenlet(inner).switch()

        return [c.result() for c in [trueasync.spawn(body, n) for n in range(20)]]

    assert run(main) == list(range(20))


def test_a_greenlet_may_go_back_and_forth_between_waits(run):
    def main():
        def inner(value):
            while True:
                trueasync.sleep(0.001)
                value = outer.switch(value * 2)
                trueasync.suspend()

        outer = greenlet.getcurrent()
        child = greenlet.greenlet(inner)
        results = []
        for n in range(5):
            results.append(child.switch(n))
            trueasync.suspend()
        child.throw()
        return results

    assert run(main) == [0, 2, 4, 6, 8]


def test_a_cancellation_reaches_the_greenlet_that_waits(run):
    def main():
        seen = []

        def inner():
            try:
                running_scheduler("test").wait(Event())
            except trueasync.Cancelled:
                seen.append("inner")
                raise

        def body():
            try:
                greenlet.greenlet(inner).switch()
            except trueasync.Cancelled:
                seen.append("outer")
                raise

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return seen, coroutine.cancelled()

    assert run(main) == (["inner", "outer"], True)


def test_the_error_of_a_greenlet_is_the_error_of_its_coroutine(run):
    def main():
        def inner():
            trueasync.suspend()
            raise ValueError("inner")

        coroutine = trueasync.spawn(lambda: greenlet.greenlet(inner).switch())
        try:
            coroutine.result()
        except ValueError as error:
            return str(error)

    assert run(main) == "inner"


def test_run_may_be_called_inside_a_greenlet(run):
    def body():
        return run(lambda: trueasync.spawn(lambda: trueasync.sleep(0.001) or "value").result())

    assert greenlet.greenlet(body).switch() == "value"


def test_a_coroutine_is_the_current_one_in_its_greenlets_too(run):
    def main():
        def body():
            me = trueasync.current_coroutine()
            trueasync.suspend()
            return greenlet.greenlet(lambda: trueasync.current_coroutine() is me).switch()

        return trueasync.spawn(body).result()

    assert run(main)


def test_a_greenlet_killed_while_its_coroutine_waits_in_it_ends_that_wait(run):
    def main():
        held = []

        def inner():
            held.append(greenlet.getcurrent())
            trueasync.sleep(60)

        def body():
            return greenlet.greenlet(inner).switch()

        coroutine = trueasync.spawn(body)
        trueasync.suspend()
        coroutine.cancel()
        trueasync.suspend()
        return coroutine.cancelled(), held[0].dead

    assert run(main) == (True, True)


def test_under_every_schedule_each_greenlet_keeps_its_place(seeds):
    from trueasync.testing import run

    def main():
        def body(n):
            seen = []

            def inner():
                for step in range(3):
                    trueasync.suspend()
                    seen.append((greenlet.getcurrent() is mine, step))

            mine = greenlet.greenlet(inner)
            mine.switch()
            return seen

        return [c.result() for c in [trueasync.spawn(body, n) for n in range(6)]]

    for _ in seeds:
        assert run(main) == [[(True, 0), (True, 1), (True, 2)]] * 6

"""Switch handlers: called when their coroutine enters, leaves and finishes, and only then."""

import pytest

import trueasync
from trueasync import Moment, runtime
from trueasync.testing import run

ENTER, LEAVE, FINISH = Moment.ENTER, Moment.LEAVE, Moment.FINISH


def recorder(into, keep=True):
    def handler(coroutine, moment):
        into.append(moment)
        return keep

    return handler


def add(handler):
    trueasync.current_coroutine().add_switch_handler(handler)


@pytest.fixture
def on_main_start():
    """trueasync.on_main_start, undone after the test."""
    before = list(runtime.main_handlers)
    yield trueasync.on_main_start
    runtime.main_handlers[:] = before


def test_a_handler_hears_of_leaving_entering_and_finishing():
    moments = []

    def body():
        add(recorder(moments))
        trueasync.suspend()
        trueasync.sleep(1)

    def main():
        coroutine = trueasync.spawn(body)
        coroutine.result()

    run(main)
    assert moments == [LEAVE, ENTER, LEAVE, ENTER, FINISH]


def test_a_handler_added_before_the_start_hears_of_the_first_entering():
    def main():
        moments = []
        coroutine = trueasync.spawn(trueasync.sleep, 1)
        coroutine.add_switch_handler(recorder(moments))
        coroutine.result()
        return moments

    assert run(main) == [ENTER, LEAVE, ENTER, FINISH]


def test_a_handler_is_told_which_coroutine_and_a_moment():
    def main():
        calls = []
        coroutine = trueasync.spawn(int)
        coroutine.add_switch_handler(lambda *arguments: calls.append(arguments))
        coroutine.result()
        return calls == [(coroutine, ENTER)]

    assert run(main)


def test_a_handler_hears_nothing_of_other_coroutines():
    def main():
        moments = []
        coroutine = trueasync.spawn(trueasync.sleep, 10)
        coroutine.add_switch_handler(recorder(moments))
        trueasync.suspend()
        for _ in range(5):
            trueasync.spawn(trueasync.sleep, 1).result()
        return list(moments)

    assert run(main) == [ENTER, LEAVE]


def test_a_handler_that_returns_false_is_removed():
    def main():
        moments = []
        coroutine = trueasync.spawn(trueasync.sleep, 1)
        coroutine.add_switch_handler(recorder(moments, keep=False))
        coroutine.result()
        return moments

    assert run(main) == [ENTER]


def test_of_several_handlers_only_those_that_return_false_go_and_the_order_stays():
    def main():
        calls = []

        def named(name, keep):
            def handler(coroutine, moment):
                calls.append((name, moment))
                return keep

            return handler

        coroutine = trueasync.spawn(trueasync.suspend)
        for name, keep in (("a", True), ("b", False), ("c", True)):
            coroutine.add_switch_handler(named(name, keep))
        trueasync.spawn(int)
        coroutine.result()
        return "".join(name for name, _ in calls)

    assert run(main) == "abc" + "ac" + "ac" + "ac"


def test_a_handler_added_by_a_handler_is_called_from_the_next_moment_on():
    def main():
        moments = []

        def adds_another(coroutine, moment):
            coroutine.add_switch_handler(recorder(moments))
            return False

        coroutine = trueasync.spawn(trueasync.sleep, 1)
        coroutine.add_switch_handler(adds_another)
        coroutine.result()
        return moments

    assert run(main) == [LEAVE, ENTER, FINISH]


def test_finish_is_called_when_the_coroutine_fails_or_is_cancelled():
    def main():
        failed, cancelled = [], []
        one = trueasync.spawn(lambda: 1 / 0)
        one.add_switch_handler(recorder(failed))
        other = trueasync.spawn(trueasync.sleep, 1)
        other.add_switch_handler(recorder(cancelled))
        trueasync.suspend()
        other.cancel()
        trueasync.suspend()
        with pytest.raises(ZeroDivisionError):
            one.result()
        return failed, cancelled

    assert run(main) == ([ENTER, FINISH], [ENTER, LEAVE, ENTER, FINISH])


def test_no_handler_is_called_for_a_coroutine_that_never_runs():
    def main():
        moments = []
        coroutine = trueasync.spawn(int)
        coroutine.add_switch_handler(recorder(moments))
        coroutine.cancel()
        trueasync.suspend()
        return moments

    assert run(main) == []


def test_a_wait_for_what_has_happened_calls_no_handler():
    def main():
        moments = []
        finished = trueasync.spawn(int)
        trueasync.suspend()
        add(recorder(moments))
        finished.result()
        return list(moments)

    assert run(main) == []


def test_the_handlers_are_called_in_the_contextvars_of_their_coroutine():
    import contextvars

    number = contextvars.ContextVar("number", default=0)

    def main():
        seen = []

        def body():
            number.set(7)
            add(lambda coroutine, moment: seen.append(number.get()) or True)
            trueasync.sleep(1)

        trueasync.spawn(body).result()
        return seen

    assert run(main) == [7, 7, 7]


@pytest.mark.parametrize("moment", list(Moment), ids=lambda moment: moment.name)
def test_a_handler_that_raises_ends_the_run_with_that_error(moment):
    ended = []

    def handler(coroutine, called):
        if called is moment:
            raise ValueError(f"in {moment.name}")
        return True

    def main():
        coroutine = trueasync.spawn(trueasync.sleep, 1)
        coroutine.add_switch_handler(handler)
        try:
            trueasync.sleep(60)
        finally:
            ended.append("main")

    with pytest.raises(ValueError, match=f"in {moment.name}"):
        run(main)
    assert ended == ["main"]


def test_a_handler_that_raises_as_a_new_coroutine_is_next_ends_the_run_with_that_error():
    def fails(coroutine, moment):
        raise ValueError("the handler fails")

    def main():
        trueasync.spawn(int)
        add(fails)
        trueasync.suspend()

    with pytest.raises(ValueError, match="the handler fails"):
        run(main)


def test_a_handler_may_cancel_the_coroutine_that_would_be_next():
    def main():
        ran = []
        following = trueasync.spawn(ran.append, 1)

        def cancels(coroutine, moment):
            following.cancel()
            return False

        add(cancels)
        trueasync.suspend()
        return ran, following.cancelled()

    assert run(main) == ([], True)


def test_a_handler_may_spawn():
    def main():
        ran = []

        def spawns(coroutine, moment):
            trueasync.spawn(ran.append, moment)
            return moment is not FINISH

        coroutine = trueasync.spawn(trueasync.sleep, 1)
        coroutine.add_switch_handler(spawns)
        trueasync.sleep(2)
        return ran

    assert run(main) == [ENTER, LEAVE, ENTER, FINISH]


def test_a_handler_on_leave_may_spawn_a_high_coroutine_that_goes_on_with_the_rest():
    def main():
        order = []

        def goes_on(coroutine, moment):
            if moment is LEAVE:
                trueasync.options(priority=trueasync.Priority.HIGH).spawn(order.append, "rest")
            return False

        trueasync.spawn(order.append, "another")
        add(goes_on)
        trueasync.sleep(1)
        return order

    assert "rest" in run(main)


@pytest.mark.parametrize("wait", [trueasync.suspend, lambda: trueasync.sleep(1)])
@pytest.mark.parametrize("moment", list(Moment), ids=lambda moment: moment.name)
def test_a_handler_that_waits_is_refused(moment, wait):
    def waits(coroutine, called):
        if called is moment:
            wait()
        return True

    def main():
        coroutine = trueasync.spawn(trueasync.suspend)
        coroutine.add_switch_handler(waits)
        trueasync.spawn(int)
        trueasync.sleep(1)

    with pytest.raises(trueasync.UsageError, match="where no coroutine runs"):
        run(main)


def test_a_handler_on_main_start_is_first_called_as_enter_in_main(on_main_start):
    calls = []

    def handler(coroutine, moment):
        calls.append((coroutine, moment))
        return True

    def main():
        calls.append("main runs")
        trueasync.sleep(1)
        return trueasync.current_coroutine()

    on_main_start(handler)
    it = run(main)

    assert calls == [(it, ENTER), "main runs", (it, LEAVE), (it, ENTER), (it, FINISH)]


def test_a_handler_on_main_start_is_not_given_to_other_coroutines(on_main_start):
    names = []
    on_main_start(lambda coroutine, moment: names.append(coroutine.name) or True)

    def main():
        trueasync.options(name="child").spawn(int).result()

    run(main)

    assert all("child" not in name for name in names)


def test_a_handler_on_main_start_serves_every_run_even_if_it_removes_itself(on_main_start):
    moments = []
    on_main_start(recorder(moments, keep=False))

    run(int)
    run(int)

    assert moments == [ENTER, ENTER]


def test_entering_and_leaving_alternate_under_every_schedule(seeds):
    def main():
        every = []

        def body(n):
            for _ in range(n % 5):
                trueasync.suspend()
            trueasync.sleep(n % 3)

        for n in range(12):
            moments = []
            coroutine = trueasync.spawn(body, n)
            coroutine.add_switch_handler(recorder(moments))
            every.append(moments)
        trueasync.sleep(100)
        return every

    for _ in seeds:
        for moments in run(main):
            pairs = len(moments) // 2 - 1
            assert moments == [ENTER, *[LEAVE, ENTER] * pairs, FINISH]

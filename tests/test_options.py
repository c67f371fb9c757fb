"""options(...): how to spawn and how to run, where the default does not fit."""

import signal

import pytest

import trueasync
from trueasync import Priority, UsageError
from trueasync.settings import GRACE, Settings


def test_options_run_is_run():
    def main(*args, **kwargs):
        return args, kwargs, trueasync.current_coroutine().name

    result = trueasync.options(grace=1).run(main, 1, two=2)

    assert result[:2] == ((1,), {"two": 2})


def test_arguments_of_main_may_be_called_like_options():
    assert trueasync.options(grace=1).run(dict, grace=2, name=3) == {"grace": 2, "name": 3}


def test_the_same_options_serve_for_many_runs():
    chosen = trueasync.options(grace=1)

    assert [chosen.run(int, number) for number in (1, 2)] == [1, 2]


def test_options_without_any_do_both():
    def main():
        return trueasync.options().spawn(int).result()

    assert trueasync.options().run(main) == 0


def test_what_is_spawned_with_options_is_placed_where_that_was_called():
    def main():
        return trueasync.options(name="x").spawn(int).spawn_location

    line = main.__code__.co_firstlineno + 1
    assert trueasync.run(main) == f"{__file__}:{line}"


@pytest.mark.parametrize("given", [{"grace": 1}, {"watchdog": 1}, {"report_on": 10}])
def test_options_of_run_are_refused_by_spawn(given):
    (name,) = given

    def main():
        trueasync.options(**given).spawn(int)

    with pytest.raises(UsageError, match=rf"^{name}: for run\(\), not for spawn\(\)"):
        trueasync.run(main)


@pytest.mark.parametrize("given", [{"name": "x"}, {"priority": Priority.HIGH}])
def test_options_of_spawn_are_refused_by_run(given):
    with pytest.raises(UsageError, match=r"^name, priority: for spawn\(\), not for run\(\)"):
        trueasync.options(**given).run(int)


@pytest.mark.parametrize(
    "wrong", [{"grace": -1}, {"grace": float("nan")}, {"watchdog": -1}, {"watchdog": float("inf")}]
)
def test_what_cannot_be_is_refused_where_it_is_written(wrong):
    with pytest.raises(ValueError, match="seconds, not"):
        trueasync.options(**wrong)


def test_an_async_main_is_refused_with_options_too():
    async def main():
        pass

    with pytest.raises(TypeError, match="is async"):
        trueasync.options(grace=1).run(main)


def test_the_default_is_a_grace_and_nothing_else():
    settings = Settings()

    assert (settings.grace, settings.watchdog, settings.report_on) == (GRACE, 0, None)


def test_the_environment_says_what_options_do_not(monkeypatch):
    monkeypatch.setenv("TRUEASYNC_WATCHDOG", "0.5")
    monkeypatch.setenv("TRUEASYNC_REPORT", "SIGUSR1")

    assert Settings().watchdog == 0.5
    assert Settings().report_on == signal.SIGUSR1
    assert Settings(watchdog=0, report_on=signal.SIGUSR2).watchdog == 0
    assert Settings(report_on=signal.SIGUSR2).report_on == signal.SIGUSR2


@pytest.mark.parametrize("text", ["SIGUSR1", "USR1", "usr1", str(int(signal.SIGUSR1))])
def test_a_signal_may_be_written_in_several_ways(monkeypatch, text):
    monkeypatch.setenv("TRUEASYNC_REPORT", text)

    assert Settings().report_on == signal.SIGUSR1


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("TRUEASYNC_WATCHDOG", "soon", "TRUEASYNC_WATCHDOG must be a number of seconds"),
        ("TRUEASYNC_REPORT", "SIGNO", "TRUEASYNC_REPORT must name a signal"),
    ],
)
def test_what_the_environment_says_wrong_is_named(monkeypatch, variable, text, message):
    monkeypatch.setenv(variable, text)

    with pytest.raises(ValueError, match=message):
        trueasync.run(int)

"""A program runs under `trueasync run` as it does under `python`."""

import os
import signal
import subprocess
import sys

import pytest

import trueasync

SOURCE = os.path.dirname(os.path.dirname(trueasync.__file__))


def start(command, cwd, **options):
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": SOURCE, **options},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def both(cwd, *arguments):
    """What `python` makes of it, and what `trueasync run` does."""
    return start(arguments, cwd), start(["-m", "trueasync", "run", *arguments], cwd)


def same(native, ours):
    assert (ours.returncode, ours.stdout, ours.stderr) == (
        native.returncode,
        native.stdout,
        native.stderr,
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    return tmp_path


WHAT_IT_SEES = """
import sys
print(__name__, __file__, __package__, sys.argv, sys.path[0], sys.modules["__main__"].__name__)
print(sorted(globals()))
print(sys.modules["__main__"].__dict__ is globals(), getattr(__spec__, "name", None))
"""


def test_a_script_sees_what_it_sees_under_python(folder):
    (folder / "program.py").write_text(WHAT_IT_SEES)

    native, ours = both(folder, "program.py", "-x", "--help", "run")

    same(native, ours)
    assert "['program.py', '-x', '--help', 'run']" in ours.stdout


def test_a_package_sees_what_it_sees_under_python(folder):
    (folder / "package" / "__main__.py").write_text(WHAT_IT_SEES)

    native, ours = both(folder, "-m", "package", "one")

    same(native, ours)
    assert "package.__main__" in ours.stdout


def test_a_folder_with_a_main_sees_what_it_sees_under_python(folder):
    (folder / "package" / "__main__.py").write_text(WHAT_IT_SEES)

    same(*both(folder, "package", "one"))


def test_a_text_sees_what_it_sees_under_python(folder):
    same(*both(folder, "-c", "import sys; print(__name__, sys.argv, sys.path[0])", "one"))


@pytest.mark.parametrize(
    "ending",
    [
        "sys.exit()",
        "sys.exit(3)",
        "sys.exit('a text')",
        "raise SystemExit(None)",
        "def inner(): raise ValueError('with a traceback')\ninner()",
        "try: 1/0\nexcept ZeroDivisionError as error: raise KeyError(1) from error",
        "import nowhere",
        "sys.excepthook = lambda kind, error, trace: print('seen', kind, trace.tb_lineno)\n1/0",
        "import atexit; atexit.register(print, 'at exit')\nsys.exit(4)",
    ],
)
def test_it_ends_as_it_ends_under_python(folder, ending):
    (folder / "program.py").write_text(f"import sys\nprint('begun')\n{ending}\n")

    same(*both(folder, "program.py"))


def test_a_program_that_does_not_compile_is_shown_as_python_shows_it(folder):
    (folder / "program.py").write_text("def broken(:\n")

    native, ours = both(folder, "program.py")

    assert ours.returncode == native.returncode == 1
    assert ours.stderr.endswith(native.stderr)


def test_a_program_that_is_not_there_is_said_in_one_line(folder):
    ours = start(["-m", "trueasync", "run", "nowhere.py"], folder)

    assert ours.returncode != 0
    assert ours.stderr.startswith("trueasync: can't open file 'nowhere.py'")
    assert ours.stderr.count("\n") == 1


def test_ctrl_c_ends_it_as_it_ends_python(folder):
    (folder / "program.py").write_text(
        "import time\ntry:\n    print('begun', flush=True); time.sleep(60)\n"
        "except KeyboardInterrupt:\n    print('interrupted'); raise\n"
    )
    with subprocess.Popen(
        [sys.executable, "-m", "trueasync", "program.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=50)

    assert output == "interrupted\n"
    assert program.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_blocking_calls_wait_politely_in_it(folder):
    (folder / "program.py").write_text(
        "import trueasync\nfrom time import sleep\n"
        "order = []\n"
        "def visit(name, delay):\n    sleep(delay)\n    order.append(name)\n"
        "visits = [trueasync.spawn(visit, 'long', 0.05), trueasync.spawn(visit, 'short', 0.01)]\n"
        "[each.result() for each in visits]\nprint(order)\n"
    )

    ours = start(["-m", "trueasync", "program.py"], folder)

    assert (ours.stdout, ours.stderr) == ("['short', 'long']\n", "")


def test_without_anything_to_run_it_says_how_it_is_used(folder):
    ours = start(["-m", "trueasync", "run"], folder)

    assert ours.returncode == 2
    assert "usage: trueasync run" in ours.stderr

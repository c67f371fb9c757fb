"""run_process: a program from its start to its end, in one call."""

from __future__ import annotations

import errno
import locale
import subprocess

from .process import GRACE, Process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["run_process"]


def run_process(
    args: Any,
    *,
    input: Any = None,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    grace: float = GRACE,
    text: bool | None = None,
    encoding: str | None = None,
    errors: str | None = None,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """As `subprocess.run`; `options` go to `subprocess.Popen`: cwd, env, shell and so on.

    It is over when the program has ended, even if a child of that holds a pipe open. If
    `timeout` seconds pass first, or the coroutine is cancelled, the program is terminated,
    and killed if it still runs `grace` seconds later.
    Suspends the coroutine. Not for other threads than that of the run.
    """
    if input is not None:
        set_pipes(options, "input", "stdin")
    if capture_output:
        set_pipes(options, "capture_output", "stdout", "stderr")
    if options.pop("universal_newlines", False) or text or encoding or errors:
        encoding = encoding or locale.getpreferredencoding(False)
    if encoding is not None and input is not None:
        if not isinstance(input, str):
            raise TypeError(f"in text mode input is a str, not {type(input).__name__}")
        input = input.encode(encoding, errors or "strict")
    stdout, stderr, code = run_to_the_end(args, input, timeout, grace, options)
    if encoding is not None:
        stdout = text_of(stdout, encoding, errors)
        stderr = text_of(stderr, encoding, errors)
    if check:
        raise_failure(args, code, stdout, stderr)
    return subprocess.CompletedProcess(args, code, stdout, stderr)  # type: ignore[arg-type]


def set_pipes(options: dict[str, Any], reason: str, *names: str) -> None:
    for name in names:
        if options.get(name) is not None:
            raise ValueError(f"{reason} makes {name} a pipe; leave {name} out, or {reason}")
        options[name] = subprocess.PIPE


def raise_failure(args: Any, code: int | None, stdout: Any, stderr: Any) -> None:
    if code is None:
        raise ChildProcessError(
            errno.ECHILD,
            f"nobody knows how {args!r} has ended: somebody else has waited for it, or this "
            "program ignores SIGCHLD (signal.SIG_DFL keeps exit codes)",
        )
    if code:
        raise subprocess.CalledProcessError(code, args, stdout, stderr)


def run_to_the_end(
    args: Any, input: Any, timeout: float | None, grace: float, options: dict[str, Any]
) -> tuple[Any, Any, int | None]:
    process = Process(args, **options)
    try:
        process.communicate(input, timeout)
    except BaseException as error:
        process.stop(grace)
        if isinstance(error, subprocess.TimeoutExpired):
            error.output, error.stderr = process.output()  # with what it said at its end
        raise
    finally:
        process.close_pipes()
    return *process.output(), process.returncode


def text_of(output: bytes | None, encoding: str, errors: str | None) -> str | None:
    if output is None:
        return None
    return output.decode(encoding, errors or "strict").replace("\r\n", "\n").replace("\r", "\n")

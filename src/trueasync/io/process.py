"""Process: a program that runs beside this one.

It is started by the standard library, which forks without copying (vfork), reports what the
child could not do as an exception here, and knows every option there is. To wait for it, to
talk to it and to end it is ours.
"""

from __future__ import annotations

import os
import signal
import subprocess

from ..events.event import Event, Listener
from ..reactor.base import Reactor
from ..scheduler.calls import running_scheduler
from .child_pipes import ChildPipes
from .exchange import Exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Process", "wait_for_process"]

GRACE = 5.0  # seconds between asking it to end and killing it
UNKNOWN = 255  # what asyncio says for an exit code that is lost


class Process:
    """A child, with the arguments of `subprocess.Popen`, but for those about text.

    `stdin`, `stdout` and `stderr` are streams, where they were asked to be PIPE.
    As a context manager it is waited for at the end, and stopped if an error leaves the block.
    Not for other threads than that of the run it is started in.
    """

    def __init__(
        self,
        args: Any,
        *,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        **options: Any,
    ) -> None:
        self.scheduler = running_scheduler("Process")
        self.args = args
        self.leads_group = (
            bool(options.get("start_new_session")) or options.get("process_group") == 0
        )
        self.exchange: Exchange | None = None
        pipes = ChildPipes(options.pop("pipesize", -1), stdin=stdin, stdout=stdout, stderr=stderr)
        try:
            self.popen = start(args, pipes, options)
            self.pid = self.popen.pid
            self.end = watched(self.scheduler.reactor, self.popen)
        except BaseException:
            pipes.close()
            raise
        self.stdin = pipes.stream("stdin", self.pid)
        self.stdout = pipes.stream("stdout", self.pid)
        self.stderr = pipes.stream("stderr", self.pid)

    @property
    def returncode(self) -> int | None:
        """The exit code, or -number if a signal has ended it; None while it runs.

        And for ever, where somebody else has reaped it: see `running`.
        """
        code: int | None = None if self.running else self.end.outcome()
        return code

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        if not self.end.fired:
            self.end.start()  # looks
            self.end.stop()
        return not self.end.fired

    def wait(self, timeout: float | None = None) -> int | None:
        """Its exit code, when it has ended; TimeoutExpired if that takes too long.

        If it writes more to a pipe than the pipe holds, and nobody reads, it never ends:
        then `communicate`. Suspends the coroutine, except when the result is there.
        """
        if not wait_until(self.end, timeout):
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.returncode

    def communicate(
        self, input: Any = None, timeout: float | None = None
    ) -> tuple[bytes | None, bytes | None]:
        """Write `input` to it, read what it writes until it ends, and return that.

        Bytes of its stdout and stderr; None for what is no pipe. After TimeoutExpired it may
        be called again and goes on; nothing is lost. Suspends the coroutine.
        """
        if self.exchange is None:
            if input is not None and self.stdin is None:
                raise ValueError("there is input, but no pipe to write it to: stdin=PIPE")
            self.exchange = Exchange(self.end, self.stdin, self.stdout, self.stderr, input)
        elif input is not None:
            raise ValueError("communicate() goes on with the input it had at first")
        if not self.exchange.run(timeout):
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout, *self.output())
        return self.output()

    def output(self) -> tuple[bytes | None, bytes | None]:
        """What `communicate` has read until now. Never suspends."""
        if self.exchange is None:
            return None, None
        return self.exchange.output()

    # -- ending it ----------------------------------------------------------------------

    def send_signal(self, number: int) -> None:
        """Send it a signal, and to the whole group if it leads one of its own.

        Does nothing if it has ended. Never suspends.
        """
        if not self.running:
            return
        try:
            (os.killpg if self.leads_group else os.kill)(self.pid, number)
        except ProcessLookupError:
            pass  # it ends just now, and somebody else reaps it

    def terminate(self) -> None:
        """Ask it to end (SIGTERM). Never suspends."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it (SIGKILL). Never suspends."""
        self.send_signal(signal.SIGKILL)

    def stop(self, grace: float = GRACE) -> int | None:
        """Terminate it, kill it if it still runs `grace` seconds later; its exit code.

        Suspends the coroutine, except when it has ended.
        """
        # It may have much to say at its end: it must not wait for us while we wait for it.
        exchange = self.exchange or Exchange(self.end)
        self.terminate()
        try:
            if not exchange.run(grace):
                self.kill()
                exchange.run()
        except BaseException:
            self.kill()  # there is no time for grace
            raise
        return self.returncode

    def close_pipes(self) -> None:
        """Close our ends of its pipes: it gets no more input, and may not write. Never suspends."""
        if self.exchange is not None:
            self.exchange.close()
        else:
            for stream in (self.stdin, self.stdout, self.stderr):
                if stream is not None:
                    stream.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if kind is None or self.exchange is None:
            self.close_pipes()  # nobody will read or write any more
        try:
            if kind is None:
                self.wait()
        finally:
            self.stop()  # does nothing, unless an error has come this far
            self.close_pipes()

    def __repr__(self) -> str:
        state = "running" if self.running else f"ended with {self.returncode}"
        return f"<Process {self.pid} {self.args!r}, {state}>"


def start(args: Any, pipes: ChildPipes, options: dict[str, Any]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(args, **pipes.given, **options)
    finally:
        pipes.close_theirs()


def watched(reactor: Reactor, popen: subprocess.Popen[bytes]) -> Event:
    """The event of its end; if that cannot be had, there shall be no such child."""
    try:
        end = reactor.process(popen.pid)
    except BaseException:
        popen.kill()
        popen.wait()
        raise
    end.add_listener(Ended(popen))
    return end


class Ended(Listener):
    """Told when it has ended: the standard library then knows that nobody has to wait for it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen = popen

    def notify(self, event: Event) -> bool:
        code: int | None = event.outcome()
        self.popen.returncode = UNKNOWN if code is None else code
        return True


def wait_for_process(pid: int, timeout: float | None = None) -> int | None:
    """Wait until the process `pid` has ended, and return its exit code, or -number of a signal.

    None if nobody can know that: it is not our child, or somebody else has reaped it. Our
    child is reaped. TimeoutError if it still runs after `timeout` seconds.
    Suspends the coroutine. Not for other threads than that of the run.
    """
    reactor = running_scheduler("wait_for_process").reactor
    end = reactor.process(pid)
    if not wait_until(end, timeout):
        raise TimeoutError(f"process {pid} has not ended within {timeout} s")
    code: int | None = end.outcome()
    return code


def wait_until(end: Event, timeout: float | None) -> bool:
    scheduler = running_scheduler("wait")
    timer = None if timeout is None else scheduler.reactor.timer(timeout)
    return end.fired or scheduler.wait(end, timer) is end

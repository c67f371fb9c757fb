"""ProcessEnd: fires when a process has ended.

Linux says so with a descriptor of the process (pidfd), which also keeps its number from
coming to name another one. Where there is none, or no descriptor is left, a thread waits.
Nobody installs a handler for SIGCHLD, and nobody waits for any child but the one named:
those of others are left alone.
"""

from __future__ import annotations

import errno
import os

from ..events.event import Event, Listener
from .base import Descriptor, Reactor, ReactorEvent

__all__ = ["ProcessEnd"]

pidfd_open = getattr(os, "pidfd_open", None)  # Linux only


class ProcessEnd(ReactorEvent):
    """Fires with the exit code of a process, or with -number if a signal has ended it.

    With None where nobody can know: it is not our child, or somebody else has reaped it.
    Not for other threads.
    """

    def __init__(self, reactor: Reactor, pid: int, reap: bool = True) -> None:
        if pid <= 0:
            raise ValueError(f"the number of a process is 1 or more, not {pid}")
        super().__init__(reactor)
        self.watcher = reactor
        self.pid = pid
        self.reap = reap
        self.gone = False  # there was no such process any more
        self.threads = 0  # that wait for it: one at most
        self.descriptor: Descriptor | None = None  # watched while armed
        self.readable: Event | None = None
        self.fd = self.open()

    def open(self) -> int:
        """A descriptor of the process, or -1: then a thread has to wait."""
        if pidfd_open is not None:
            try:
                fd: int = pidfd_open(self.pid)
                return fd
            except ProcessLookupError:
                self.gone = True
            except OSError:
                pass  # an old kernel, a sandbox, or no descriptor left: a thread needs none
        return -1

    def close(self) -> None:
        """Give the descriptor back; twice is once. Never suspends."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        if hasattr(self, "fd"):
            self.close()

    def info(self) -> str:
        return f"the end of process {self.pid}"

    # -- waiting ------------------------------------------------------------------------

    def arm(self) -> None:
        super().arm()
        try:
            if self.gone:
                self.fire()
            elif not self.look():
                self.watch()
        except BaseException:
            self.disarm()
            raise

    def disarm(self) -> None:
        super().disarm()
        descriptor, self.descriptor = self.descriptor, None
        readable, self.readable = self.readable, None
        if readable is not None:
            readable.stop()
        if descriptor is not None:
            descriptor.close(None)

    def watch(self) -> None:
        if self.fd < 0:
            self.start_thread()
            return
        self.descriptor = self.watcher.descriptor(self.fd)
        self.readable = self.descriptor.readable()
        self.readable.hide()  # it is we who are counted
        self.readable.add_listener(Readable(self))
        self.readable.start()

    # -- reporting ----------------------------------------------------------------------

    def look(self) -> bool:
        """Fire if it is our child and has ended; False if not, or if somebody else reaped it."""
        options = os.WEXITED | os.WNOHANG | (0 if self.reap else os.WNOWAIT)
        try:
            if self.fd >= 0:
                found = os.waitid(os.P_PIDFD, self.fd, options)
            else:
                found = os.waitid(os.P_PID, self.pid, options)
        except ChildProcessError:
            return False
        if found is None:
            return False
        self.end(found.si_status if found.si_code == os.CLD_EXITED else -found.si_status)
        return True

    def ended(self) -> None:
        """Whoever watches says that it has ended."""
        if not self.fired and not self.look():
            self.end(None)

    def end(self, code: int | None, error: BaseException | None = None) -> None:
        try:
            self.fire(code, error)
        finally:
            self.close()

    def descriptor_lost(self, error: OSError) -> None:
        """The reactor was closed, or somebody has closed the descriptor under us."""
        try:
            os.waitid(os.P_PIDFD, self.fd, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            pass
        except OSError:
            self.fd = -1  # the number names nothing of ours: it is not ours to close
        lost = OSError(error.errno, f"{self.info()} cannot be waited for: {error.strerror}")
        self.end(None, lost)

    # -- where there is no descriptor ---------------------------------------------------

    def start_thread(self) -> None:
        if self.threads:
            return  # that of an earlier wait: a thread cannot be called back
        if not self.is_child():
            self.refuse_or_end()
            return
        import threading

        name = f"trueasync: {self.info()}"
        threading.Thread(target=self.wait_in_thread, name=name, daemon=True).start()
        self.threads += 1

    def is_child(self) -> bool:
        try:
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        return True

    def refuse_or_end(self) -> None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            self.end(None)
            return
        except PermissionError:
            pass  # it lives, and belongs to somebody else
        raise ChildProcessError(
            errno.ECHILD,
            f"process {self.pid} is no child of this one, and this system has no pidfd "
            "(Linux 5.4 and newer have), so there is no way to wait for it",
        )

    def wait_in_thread(self) -> None:
        """Blocks the thread until it has ended; to reap it is for the loop."""
        try:
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            pass  # somebody else was faster
        self.watcher.post(self.thread_ended)

    def thread_ended(self) -> None:
        self.threads -= 1
        self.ended()


class Readable(Listener):
    """Told when the descriptor of a process is readable, which means that it has ended."""

    def __init__(self, process: ProcessEnd) -> None:
        self.process = process

    def notify(self, event: Event) -> bool:
        try:
            event.outcome()
        except OSError as error:
            self.process.descriptor_lost(error)
        else:
            self.process.ended()
        return True

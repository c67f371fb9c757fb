"""ProcessEnd: fires when a process has ended.

Linux says so with a descriptor of the process (pidfd), which also keeps its number from
coming to name another one. Where there is none, or no descriptor is left, a thread waits.
Nobody installs a handler for SIGCHLD, and nobody waits for any child but the one named:
those of others are left alone.
"""

from __future__ import annotations

import errno
import os
import signal
from _weakref import ref

from ..errors import UsageError
from ..events.event import Event, Listener
from .base import Descriptor, Reactor, ReactorEvent
from .waiting_thread import is_running_child, nothing, tell_no_more, tell_when_it_changes

__all__ = ["ProcessEnd", "process_end"]

pidfd_open = getattr(os, "pidfd_open", None)  # Linux only


class ProcessEnd(ReactorEvent):
    """Fires with the exit code of a process, or with -number if a signal has ended it.

    With None where nobody can know: it is not our child, or somebody else has reaped it.
    Not for other threads.
    """

    def __init__(self, watch: ProcessWatch, reap: bool) -> None:
        super().__init__(watch.reactor)
        self.watch = watch
        self.reap = reap

    def arm(self) -> None:
        super().arm()
        try:
            self.watch.add(self)
        except BaseException:
            self.disarm()
            raise

    def disarm(self) -> None:
        super().disarm()
        self.watch.remove(self)

    def info(self) -> str:
        return f"the end of process {self.watch.pid}"


class ProcessWatch:
    """One process, the descriptor or thread that tells of its end, and who waits for that."""

    def __init__(self, reactor: Reactor, pid: int) -> None:
        self.reactor = reactor
        self.pid = pid
        self.waiting: dict[ProcessEnd, None] = {}  # armed, in the order of coming
        self.ended = False
        self.code: int | None = None
        self.descriptor: Descriptor | None = None  # watched while anyone waits
        self.readable: Event | None = None
        self.fd = self.open()

    def open(self) -> int:
        """A descriptor of the process, or -1: then a thread has to wait."""
        if pidfd_open is not None:
            try:
                fd: int = pidfd_open(self.pid)
                return fd
            except ProcessLookupError:
                self.ended = True  # and has been reaped
            except OSError:
                pass  # an old kernel, a sandbox, or no descriptor left: a thread needs none
        return -1

    def is_over(self) -> bool:
        """Whether its number may name another process by now: it has ended, and was reaped."""
        if self.ended or self.fd < 0:
            return self.ended
        try:
            signal.pidfd_send_signal(self.fd, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # it lives, and belongs to somebody else
        return False

    def close(self) -> None:
        """Give the descriptor back; twice is once. Never suspends."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        if hasattr(self, "fd"):
            self.close()

    # -- who waits ----------------------------------------------------------------------

    def add(self, event: ProcessEnd) -> None:
        """Fire `event` now, if the process has ended, else when it does."""
        self.waiting[event] = None
        if self.ended:
            event.fire(self.code)
        elif not self.look() and len(self.waiting) == 1:
            self.start()

    def remove(self, event: ProcessEnd) -> None:
        self.waiting.pop(event, None)
        if not self.waiting:
            self.stop()

    def start(self) -> None:
        if self.fd < 0:
            self.start_thread()
            return
        self.descriptor = self.reactor.descriptor(self.fd)
        self.readable = self.descriptor.readable()
        self.readable.hide()  # it is our events that are counted
        self.readable.add_listener(Readable(self))
        self.readable.start()

    def stop(self) -> None:
        if self.fd < 0:
            tell_no_more(self.end_of_child(), self.tell)
        descriptor, self.descriptor = self.descriptor, None
        readable, self.readable = self.readable, None
        if readable is not None:
            readable.stop()
        if descriptor is not None:
            descriptor.close(None)

    # -- its end ------------------------------------------------------------------------

    def look(self) -> bool:
        """Say it, if it is our child and has ended; False if not, or if it has been reaped."""
        options = os.WEXITED | os.WNOHANG
        if not any(event.reap for event in self.waiting):
            options |= os.WNOWAIT
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

    def has_ended(self) -> None:
        """Its descriptor or thread says so."""
        if not self.look():
            self.end(None)

    def end(self, code: int | None) -> None:
        self.ended = True
        self.code = code
        self.fire_all(code, None)

    def fire_all(self, code: int | None, error: OSError | None) -> None:
        failure = None
        for event in list(self.waiting):
            if event not in self.waiting:
                continue  # it was stopped meanwhile
            try:
                event.fire(code, error)
            except BaseException as raised:
                failure = failure or raised  # the others are told all the same
        self.close()
        if failure is not None:
            raise failure

    def descriptor_lost(self, error: OSError) -> None:
        """The reactor was closed, or somebody has closed the descriptor under us."""
        try:
            os.waitid(os.P_PIDFD, self.fd, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            pass
        except OSError:
            self.fd = -1  # the number names nothing of ours: it is not ours to close
        what = f"the end of process {self.pid} cannot be waited for: {error.strerror}"
        self.fire_all(None, OSError(error.errno, what))

    # -- where there is no descriptor ---------------------------------------------------

    def start_thread(self) -> None:
        if not self.reactor.post(nothing):
            raise UsageError(f"process {self.pid} cannot be waited for: this reactor is closed")
        if is_running_child(self.pid):
            tell_when_it_changes(self.end_of_child(), self.tell)
        elif not self.look():
            self.refuse_or_end()

    def end_of_child(self) -> tuple[int, int, int]:
        return os.P_PID, self.pid, os.WEXITED

    def tell(self) -> None:
        """Called in the thread that waits."""
        self.reactor.post(self.thread_has_ended)

    def thread_has_ended(self) -> None:
        if not self.waiting:
            return
        if is_running_child(self.pid):
            # That was an earlier one of the same number.
            tell_when_it_changes(self.end_of_child(), self.tell)
        else:
            self.has_ended()

    def refuse_or_end(self) -> None:
        """It is no child of ours, or not any more."""
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


class Readable(Listener):
    """Told when the descriptor of a process is readable, which means that it has ended."""

    def __init__(self, watch: ProcessWatch) -> None:
        self.watch = watch

    def notify(self, event: Event) -> bool:
        try:
            event.outcome()
        except OSError as error:
            self.watch.descriptor_lost(error)
        else:
            self.watch.has_ended()
        return True


def process_end(
    reactor: Reactor, watches: dict[int, ref[ProcessWatch]], pid: int, reap: bool
) -> ProcessEnd:
    """An event for the end of `pid`; those for one process share what watches it."""
    if pid <= 0:
        raise ValueError(f"the number of a process is 1 or more, not {pid}")
    known = watches.get(pid)
    watch = known() if known is not None else None
    if watch is None or watch.is_over():

        def forget(gone: ref[ProcessWatch]) -> None:
            if watches.get(pid) is gone:
                del watches[pid]

        watch = ProcessWatch(reactor, pid)
        watches[pid] = ref(watch, forget)
    return ProcessEnd(watch, reap)

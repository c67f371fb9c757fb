"""Signals: a signal ends the wait of the loop, and fires the events that wait for it.

libuv goes on sleeping after EINTR. CPython writes the number of each signal it has a handler
for to its "wake-up descriptor"; we let the loop watch the other end. So nothing polls, no
handler of a program is replaced, and one that is set later takes nothing from who waits
(decision 9). Only the main thread, where CPython runs signal handlers, has this.
"""

import os
import signal

import cython
from cython.cimports.posix.stat import fstat, struct_stat
from cython.cimports.posix.unistd import read, write
from cython.cimports.trueasync._c.uv import (
    UV_READABLE,
    uv_close,
    uv_handle_t,
    uv_poll_init,
    uv_poll_start,
)
from cython.cimports.trueasync.reactor.dispositions import claim, release
from cython.cimports.trueasync.reactor.note import note_down
from cython.cimports.trueasync.reactor.reactor import UvReactor
from cython.cimports.trueasync.reactor.signal import Signal

from .dispositions import release_all

MOST = cython.declare(cython.int, 65)  # signals are numbered from 1 to 64
writers = set()  # the ends that are ours, of all reactors


@cython.final
@cython.cclass
class SignalLine:
    """Who waits for one number, in the order of coming."""

    def __init__(self):
        self.events = {}


@cython.final
@cython.cclass
class Signals:
    """A pipe whose one end CPython writes to, and the events that wait for what it brings."""

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def watch(self, reactor: UvReactor) -> cython.int:
        """Start, if this is the main thread."""
        self.lines = {}
        self.pipe.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        try:
            previous = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        except ValueError:  # another thread: no signal handler runs there
            os.close(self.pipe.reader)
            os.close(self.writer)
            return 0
        self.open = True
        writers.add(self.writer)
        self.pass_on_to(previous)
        self.pipe.note.queue = cython.address(reactor.notes)
        self.pipe.note.tell = tell_signals
        self.pipe.note.owner = cython.cast(cython.p_void, self)
        # Makes the reading end non-blocking, too.
        uv_poll_init(cython.address(reactor.loop), cython.address(self.handle), self.pipe.reader)
        self.handle.data = cython.address(self.pipe)
        uv_poll_start(cython.address(self.handle), UV_READABLE, on_signal)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def pass_on_to(self, previous: cython.int) -> cython.int:
        """Whoever had the wake-up descriptor before hears the signals, too."""
        found: struct_stat
        self.pipe.previous = -1
        if previous >= 0 and fstat(previous, cython.address(found)) == 0:
            self.pipe.previous = previous
            self.pipe.device = found.st_dev
            self.pipe.inode = found.st_ino
        return 0

    # -- waiting ------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def join(self, reactor: UvReactor, event: Signal) -> cython.int:
        line: SignalLine = self.lines.get(event.number)
        if line is None:
            claim(event.number)
            self.lines[event.number] = line = SignalLine()
            self.pipe.awaited[event.number] = True
            reactor.watching += 1  # ticks that do not wait look at the pipe, too
            self.keep_descriptor()
        line.events[event] = None
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def keep_descriptor(self) -> cython.int:
        """Take it back, if somebody has put another in its place meanwhile."""
        previous: cython.int = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        if previous == self.writer:
            return 0
        if previous in writers:
            return restore(previous)  # another reactor of this thread, which passes on to us
        return self.pass_on_to(previous)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def leave(self, reactor: UvReactor, event: Signal) -> cython.int:
        line: SignalLine = self.lines.get(event.number)
        if line is not None:
            line.events.pop(event, None)
            self.drop_if_empty(reactor, event.number, line)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def drop_if_empty(self, reactor: UvReactor, number: cython.int, line: SignalLine) -> cython.int:
        if line.events or line.telling:
            return 0
        del self.lines[number]
        self.pipe.awaited[number] = self.pipe.arrived[number] = False
        reactor.watching -= 1
        return release(number)

    # -- reporting ----------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def report(self) -> cython.int:
        failure = None
        number: cython.int
        for number in range(1, MOST):
            if self.pipe.arrived[number]:
                self.pipe.arrived[number] = False
                try:
                    self.report_one(number, self.lines[number])
                except BaseException as error:
                    failure = failure or error  # the others wait for other signals
        if failure is not None:
            raise failure
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def report_one(self, number: cython.int, line: SignalLine) -> cython.int:
        """Fire those that wait now. Who joins meanwhile waits for the next one."""
        failure = None
        event: Signal
        reactor: UvReactor = None
        line.telling += 1  # nobody waits for a moment: the signal must not kill us just then
        for event in list(line.events):
            reactor = cython.cast(UvReactor, event.reactor)
            if event not in line.events:
                continue  # stopped by one of the others
            try:
                event.fire_with(number, None)
            except BaseException as error:
                failure = failure or error
        line.telling -= 1
        if reactor is not None and self.open:
            self.drop_if_empty(reactor, number, line)
        if failure is not None:
            raise failure
        return 0

    # -- the end ------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def close(self) -> cython.int:
        """Give everything back to whoever had it; the loop must turn once more after."""
        if not self.open:
            return 0
        self.open = False
        for number in self.lines:
            release(number)
        self.lines = {}
        self.pipe.note.owner = cython.NULL
        uv_close(cython.cast(cython.pointer(uv_handle_t), cython.address(self.handle)), cython.NULL)
        writers.discard(self.writer)
        now: cython.int = signal.set_wakeup_fd(-1)
        if now == self.writer:
            now = self.pipe.previous if is_still_there(cython.address(self.pipe)) else -1
        restore(now)
        os.close(self.pipe.reader)
        os.close(self.writer)
        return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def restore(descriptor: cython.int) -> cython.int:
    try:
        signal.set_wakeup_fd(descriptor)
    except (OSError, ValueError):
        pass  # its owner has closed it: there is nobody to give it back to
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_still_there(pipe: cython.pointer(SignalPipe)) -> cython.bint:
    """Whether the number still names what it named: written elsewhere it would do harm."""
    found: struct_stat
    if pipe.previous < 0 or fstat(pipe.previous, cython.address(found)) != 0:
        return False
    return found.st_dev == pipe.device and found.st_ino == pipe.inode


def after_fork() -> None:
    """The child shares the pipe: its signals must not wake the parent. Never suspends."""
    release_all()
    descriptor = signal.set_wakeup_fd(-1)
    if descriptor not in writers:
        restore(descriptor)
    writers.clear()


os.register_at_fork(after_in_child=after_fork)


def tell_signals(owner, status, events):
    signals: Signals = cython.cast(Signals, owner)
    return signals.report()


def on_signal(handle, status, events):
    pipe: cython.pointer(SignalPipe) = cython.cast(cython.pointer(SignalPipe), handle.data)
    numbers: cython.uchar[256]
    count: cython.Py_ssize_t = 256
    index: cython.Py_ssize_t
    while count == 256:
        count = read(pipe.reader, numbers, 256)
        for index in range(count):
            if numbers[index] < MOST and pipe.awaited[numbers[index]]:
                pipe.arrived[numbers[index]] = True
                note_down(cython.address(pipe.note), 0, 0)
        if count > 0 and is_still_there(pipe):
            write(pipe.previous, numbers, count)

"""Reactor: what a scheduler may ask of whoever watches the outside world.

Implemented by the libuv reactor and by the virtual one of trueasync.testing.
"""

import cython
from cython.cimports.trueasync.events.event import Event

# The directions of a descriptor; the same bits as libuv's.
READABLE = cython.declare(cython.int, 1)
WRITABLE = cython.declare(cython.int, 2)


@cython.cclass
class Reactor:
    """Makes events, and reports what happened when polled. Not for other threads."""

    @cython.ccall
    @cython.exceptval(-1, check=True)
    def now(self) -> cython.double:
        """Seconds on the clock of its timers. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def poll(self, wait: cython.bint):
        """Fire what has happened; with `wait`, sleep until something has.

        Raises what a callback raised. Never suspends.
        """
        raise NotImplementedError

    @cython.ccall
    def timer(self, delay: cython.double) -> Event:
        """An event that fires `delay` seconds after it is started. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def descriptor(self, fd: cython.int) -> Descriptor:
        """Who watches `fd`, made on the first call and kept until it is closed. Never suspends."""
        raise NotImplementedError

    def readable(self, fd: int) -> Event:
        """An event that fires when `fd` can be read without waiting. Never suspends."""
        return self.descriptor(fd).readable()

    def writable(self, fd: int) -> Event:
        """An event that fires when `fd` can be written without waiting. Never suspends."""
        return self.descriptor(fd).writable()

    def signal(self, number: int) -> Event:
        """An event that fires with `number` when that signal arrives. Never suspends.

        While one is started, the signal does nothing else, unless the program has set a
        handler for it: that is called, too. Only in the main thread. Several arrivals
        between two polls are one.
        """
        raise NotImplementedError

    def filesystem(self, path: str, recursive: bool = False) -> Event:
        """An event that fires with a list of `Change` below `path`. Never suspends.

        `path` is watched from its start to its end; the start raises OSError where that
        cannot be. It may be a directory, with all below it if `recursive`, or a file.
        """
        raise NotImplementedError

    def process(self, pid: int, reap: bool = True) -> Event:
        """An event that fires when the process `pid` has ended. Never suspends.

        With its exit code, or -number if a signal has ended it; None if nobody can know:
        it is not our child, or somebody else has reaped it. Our child is reaped, unless
        `reap` is false; no other ever is.
        """
        raise NotImplementedError

    def child_change(self, idtype: int, number: int, options: int) -> Event:
        """An event that fires when `os.waitid(idtype, number, options)` would not wait.

        For what `process` cannot tell: any child of several, or one that stops and goes on.
        Nothing is reaped, and who has been told has to look. A native thread waits for it,
        until it happens. Never suspends.
        """
        raise NotImplementedError

    def trigger(self) -> Event:
        """A `Trigger`: an event that any thread may fire, as often as it likes. Never suspends."""
        raise NotImplementedError

    def thread(self, function, args: tuple = (), kwargs: dict | None = None, crew=None) -> Event:
        """A `ThreadCall`: fires when a native thread has called `function`. Never suspends.

        The thread is one of `crew`, a `Crew` of workers, or without that one of its own.
        """
        raise NotImplementedError

    def lookup(self, host, port, family=0, type=0, proto=0, flags=0) -> Event:
        """An event that fires with what `socket.getaddrinfo` returns or raises. Never suspends."""
        raise NotImplementedError

    def reverse_lookup(self, address, flags=0) -> Event:
        """An event that fires with what `socket.getnameinfo` returns or raises. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def work(self, job: Job) -> Event:
        """An event that fires when a thread of the pool has done `job`, once. Never suspends.

        A job that nobody waits for any more is dropped, if it has not begun; one that has
        begun keeps what it needs and runs to its end.
        """
        raise NotImplementedError

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def post(self, function) -> cython.bint:
        """Call `function()` from the next poll, and end its wait; False if this is closed.

        First posted, first called. What it raises is raised by that poll.
        Never suspends. Safe from any thread.
        """
        raise NotImplementedError

    @cython.ccall
    def close(self):
        """Let go of everything; twice is once. Never suspends."""
        self.closed = True


@cython.cclass
class Job:
    """Work that would block: a C function and its data, for a thread without the GIL.

    `perform` must touch nothing but `data`, which lives as long as the job.
    """

    def perform_here(self) -> None:
        """Do it in this thread. Blocks the thread."""
        if self.perform == cython.NULL:
            raise NotImplementedError("a Job must say what it performs")
        with cython.nogil:
            self.perform(self.data)

    @cython.ccall
    def ended(self):
        """No thread works on it any more: it is done, or was dropped. Never suspends.

        Called in the thread of the reactor, also where nobody waits for it any more.
        """

    def info(self) -> str:
        """What it does, in words, for reports. Never suspends."""
        return type(self).__name__.lower()


@cython.cclass
class ReactorEvent(Event):
    """An event the outside world fires; while armed it is a reason to wait, unless hidden."""

    def __init__(self, reactor: Reactor):
        self.reactor = reactor

    @cython.ccall
    def arm(self):
        if self.reactor is None:
            raise RuntimeError(f"{self.info()} has no reactor; call super().__init__(reactor)")
        if self.reactor.closed:
            raise RuntimeError(f"{self.info()} cannot be started: its reactor is closed")
        if not self.hidden:
            self.reactor.active += 1

    @cython.ccall
    def disarm(self):
        if not self.hidden:
            self.reactor.active -= 1


@cython.cclass
class Readiness(ReactorEvent):
    """One wait for one direction of a descriptor. Not for other threads."""

    @cython.ccall
    def again(self):
        """Wait once more, before those that came later: it was no use. Never suspends."""
        self.fired = False
        self.value = self.error = None


@cython.cclass
class Descriptor:
    """A file descriptor that is watched, for any number of readers and writers.

    Who waits for the same thing is served first come, first served, one at a time: each
    readiness fires one event. A peer's reset, an error and a close fire all of them.
    Not for other threads.
    """

    @cython.ccall
    def readable(self) -> Readiness:
        """An event for one wait until it can be read. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def writable(self) -> Readiness:
        """An event for one wait until it can be written. Never suspends."""
        raise NotImplementedError

    @cython.ccall
    def forget_readable(self):
        """All there was has been read: the next read waits for news at once. Never suspends."""
        self.drained = True
        self.ready &= ~READABLE

    @cython.ccall
    def close(self, reason):
        """Watch it no more; to be called before it is closed. Never suspends.

        Who waits for it gets the error `reason`, or one with EBADF if that is None.
        """
        raise NotImplementedError

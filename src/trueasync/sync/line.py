"""Line: those who wait for something in order, and Turn: one wait in it.

Who gives something to a turn is told whether it was taken: a wait that was cancelled, or
won by another event, says no, and the giver asks the next. So what was given has an owner
from that moment on, and nothing is lost between the wake-up and the run (decision 2).

A giver may be in another thread. What is done in one go here is one step for everybody,
because nothing in between lets go of the GIL; only the wake-up is left to the thread of
who waits.
"""

import os

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import scheduler_here

forks = cython.declare(cython.int, 0)


@cython.cclass
class Turn(Event):
    """One wait, and its place in a line; fires with what it is given. Not for other threads."""

    @cython.ccall
    def disarm(self):
        if self.line is not None:
            self.line.remove(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give(self, value, error) -> cython.bint:
        """Fire with `value` or `error`; False if nobody takes that. It leaves its line."""
        if not self.claim():
            return False
        self.deliver(value, error)
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def claim(self) -> cython.bint:
        """Whether it takes what comes with `deliver`. It leaves its line."""
        listener: Listener = self.first
        self.line.unlink(self)
        # Without a listener it is just being started, and will be found fired.
        if self.forks == forks and (listener is None or listener.claim(self)):
            return True
        self.disown()  # or it waits in the process that this one was forked from
        return False

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def deliver(self, value, error) -> cython.int:
        """Fire, after a claim, and wake who waits."""
        owner: Coroutine = self.owner
        self.fired = True
        self.value = value
        self.error = error
        if owner is None or owner.scheduler is scheduler_here():
            self.wake()
        else:
            owner.scheduler.reactor.post(self)
        self.disown()  # last: until it is posted, its run must have a reason to wait
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def disown(self) -> cython.int:
        if self.givers >= THREADS:
            self.owner.scheduler.threads_awaited -= 1
            if self.givers == HANDLERS:
                self.owner.scheduler.handlers_awaited -= 1
            self.givers = COROUTINES
        self.owner = None
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake(self) -> cython.int:
        listener: Listener = self.first
        self.first = None
        if listener is not None:
            listener.wake(self)
        return 0

    def __call__(self):
        """What is posted to the thread of who waits. Never suspends."""
        self.wake()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        """It was given, but the thread that waited leaves by an error: pass it on."""
        return 0


@cython.final
@cython.no_gc  # a turn in it belongs to somebody who waits, and so lives
@cython.cclass
class Line:
    """Turns in the order they came. It owns a reference to each; leaving costs O(1)."""

    def __dealloc__(self):
        while self.first != cython.NULL:
            self.remove(cython.cast(Turn, self.first))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, turn: Turn, owner: Coroutine | None) -> cython.int:
        Py_INCREF(turn)  # OWNERSHIP: held by the line until unlink
        link: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), turn)
        turn.owner = owner
        turn.line = self
        turn.forks = forks
        turn.previous = self.last
        turn.following = cython.NULL
        if self.last == cython.NULL:
            self.first = link
        else:
            cython.cast(Turn, self.last).following = link
        self.last = link
        self.count += 1
        if self.givers >= THREADS and owner is not None:
            turn.givers = self.givers
            owner.scheduler.threads_awaited += 1
            if self.givers == HANDLERS:
                owner.scheduler.handlers_awaited += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove(self, turn: Turn) -> cython.int:
        """It has been given nothing, and leaves."""
        self.unlink(turn)
        turn.disown()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def unlink(self, turn: Turn) -> cython.int:
        if turn.previous == cython.NULL:
            self.first = turn.following
        else:
            cython.cast(Turn, turn.previous).following = turn.following
        if turn.following == cython.NULL:
            self.last = turn.previous
        else:
            cython.cast(Turn, turn.following).previous = turn.previous
        turn.previous = turn.following = cython.NULL
        turn.line = None
        self.count -= 1
        Py_DECREF(turn)  # OWNERSHIP: the caller holds one of its own
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def give_all(self, value) -> cython.int:
        """Give to everybody who waits now; who comes meanwhile waits for the next."""
        turn: Turn
        count: cython.Py_ssize_t = self.count
        while count and self.count:
            count -= 1
            turn = self.head()
            turn.give(value, None)
        return 0

    @cython.cfunc
    @cython.inline
    def head(self) -> Turn:
        """The first, or None."""
        return None if self.first == cython.NULL else cython.cast(Turn, self.first)

    @cython.cfunc
    def next_but(self, owner: Coroutine | None) -> Turn:
        """The first that is not a wait of `owner`: nobody gives to himself."""
        turn: Turn
        link: cython.pointer(PyObject) = self.first
        while link != cython.NULL:
            turn = cython.cast(Turn, link)
            if owner is None or turn.owner is not owner:
                return turn
            link = turn.following
        return None


@cython.cfunc
def new_line(givers: Givers) -> Line:
    line: Line = Line.__new__(Line)
    line.givers = givers
    return line


def note_fork() -> None:
    """In a forked child nobody waits any more: their threads have stayed behind."""
    global forks
    forks += 1


os.register_at_fork(after_in_child=note_fork)

"""Line: those who wait for something in order, and Turn: one wait in it.

Who gives something to a turn is told whether it was taken: a wait that was cancelled, or
won by another event, says no, and the giver asks the next. So what was given has an owner
from that moment on, and nothing is lost between the wake-up and the run (decision 2).
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.coroutine import Coroutine


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
        self.line.remove(self)
        listener: Listener = self.first
        if listener is None or listener.closed or not listener.notify(self):
            return False
        self.first = None
        self.fired = True
        self.value = value
        self.error = error
        return True


@cython.final
@cython.no_gc  # a turn in it belongs to a coroutine that waits, and so lives
@cython.cclass
class Line:
    """Turns in the order they came. It owns a reference to each; leaving costs O(1)."""

    def __dealloc__(self):
        while self.first != cython.NULL:
            self.remove(cython.cast(Turn, self.first))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, turn: Turn, owner: Coroutine) -> cython.int:
        Py_INCREF(turn)  # OWNERSHIP: held by the line until remove
        link: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), turn)
        turn.owner = owner
        turn.line = self
        turn.previous = self.last
        turn.following = cython.NULL
        if self.last == cython.NULL:
            self.first = link
        else:
            cython.cast(Turn, self.last).following = link
        self.last = link
        self.count += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove(self, turn: Turn) -> cython.int:
        if turn.previous == cython.NULL:
            self.first = turn.following
        else:
            cython.cast(Turn, turn.previous).following = turn.following
        if turn.following == cython.NULL:
            self.last = turn.previous
        else:
            cython.cast(Turn, turn.following).previous = turn.previous
        turn.previous = turn.following = cython.NULL
        turn.owner = None
        turn.line = None
        self.count -= 1
        Py_DECREF(turn)  # OWNERSHIP: the caller holds one of its own
        return 0

    @cython.cfunc
    def next_but(self, owner: Coroutine | None) -> Turn:
        """The first that is not a wait of `owner`: nobody gives to himself."""
        turn: Turn
        link: cython.pointer(PyObject) = self.first
        while link != cython.NULL:
            turn = cython.cast(Turn, link)
            if turn.owner is not owner:
                return turn
            link = turn.following
        return None

"""Event: `threading.Event` for coroutines and native threads together."""

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.condition import new_condition
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.lock import Lock
from cython.cimports.trueasync.sync.wait import wait_at


@cython.cclass
class Event:
    """As `threading.Event`: a flag that can be waited for. Safe from any thread."""

    def __cinit__(self):
        self.waiting = new_line(HANDLERS)

    def is_set(self) -> bool:
        """Whether the flag is set. Never suspends. Safe from any thread."""
        return self.up

    def set(self):
        """Set the flag and wake everybody who waits for it. Never suspends.

        Safe from any thread.
        """
        self.up = True
        self.waiting.give_all(None)

    def clear(self):
        """Take the flag back: from now on `wait` waits. Never suspends. Safe from any thread."""
        self.up = False

    def wait(self, timeout=None):
        """Wait until the flag is set; False if it is not within `timeout` seconds.

        Suspends the coroutine, unless it is set. Safe from any thread.
        """
        if self.up:
            return True
        if timeout is not None and timeout <= 0:
            return False
        turn: Signal = Signal.__new__(Signal)
        turn.event = self
        return wait_at(turn, timeout)

    def isSet(self):
        """The old name of `is_set`. Never suspends. Safe from any thread."""
        import warnings

        text = "isSet() is deprecated, use is_set() instead"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return self.is_set()

    @property
    def _cond(self):
        # Programs look into threading.Event: who waits for the one waits for the other.
        if self.condition is None:
            self.condition = new_condition(Lock(), self.waiting)
        return self.condition

    def _at_fork_reinit(self):
        self.waiting = new_line(HANDLERS)
        self.condition = None

    def __repr__(self):
        kind = f"trueasync.{type(self).__qualname__}"
        details = f"{self.waiting.count} waiting: {'set' if self.up else 'unset'}"
        return f"<{kind} at {id(self):#x}, {details}>"


@cython.final
@cython.cclass
class Signal(Turn):
    """A wait for the flag of an event."""

    @cython.ccall
    def arm(self):
        if self.event.up:
            self.fire_with(None, None)
        else:
            self.event.waiting.add(self, coroutine_here())

    @cython.ccall
    def info(self) -> str:
        return f"{self.event!r}"

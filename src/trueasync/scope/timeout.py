"""timeout, deadline, move_on: code that must be done by a certain time.

Most timeouts are never reached: entering and leaving one costs little more than a timer.
"""

import cython
from cython.cimports.trueasync._c.python import (
    PyEval_GetFrame,
    trueasync_frame_code,
    trueasync_frame_offset,
)
from cython.cimports.trueasync.events.event import Event
from cython.cimports.trueasync.scheduler.block import Block
from cython.cimports.trueasync.scheduler.cancel import cancel_block
from cython.cimports.trueasync.scheduler.current import require_scheduler

from ..errors import Cancelled
from ..scheduler.location import location_of_code

INFINITY = cython.declare(cython.double, float("inf"))


@cython.final
@cython.cclass
class Timeout(Block):
    """Made by `timeout`, `deadline` and `move_on`. Not for other threads than that of the run."""

    def __enter__(self):
        self.open("timeout()")
        now: cython.double = self.coroutine.scheduler.reactor.now()
        if self.relative and self.at == INFINITY:
            self.at = now + self.seconds
        if self.at != INFINITY:
            self.arm(self.at - now)
        return self

    def __exit__(self, kind, error, traceback):
        self.disarm()
        if not self.close(error):
            return False
        self.expired = True
        if self.silent:
            return True
        raise TimeoutError(self.text()) from error

    @property
    def deadline(self):
        """When it expires, on the clock of `clock()`; None without a limit. May be set."""
        return None if self.at == INFINITY else self.at

    @deadline.setter
    def deadline(self, at):
        self.relative = False
        self.at = INFINITY if at is None else at
        if self.coroutine is not None:
            self.disarm()
            if self.at != INFINITY:
                self.arm(self.at - self.coroutine.scheduler.reactor.now())

    def begin(self) -> float:
        """Its deadline, for who uses it without entering it: a delay counts from the first time.

        Never suspends.
        """
        if self.relative and self.at == INFINITY:
            self.at = require_scheduler("timeout").reactor.now() + self.seconds
        return self.at

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def arm(self, delay: cython.double) -> cython.int:
        if delay <= 0:
            return self.expire()
        self.timer = self.coroutine.scheduler.reactor.timer(delay)
        self.timer.add_listener(self)
        self.timer.start()
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def disarm(self) -> cython.int:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None
        return 0

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        if event is self.timer:
            self.expire()
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def forsake(self) -> cython.int:
        self.disarm()
        return Block.forsake(self)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def expire(self) -> cython.int:
        cancel_block(self, Cancelled(self.text()))
        return 0

    @cython.cfunc
    def text(self) -> str:
        place = location_of_code(self.made_code, self.made_offset)
        limit = f"within {self.seconds:g} s" if self.relative else "by its deadline"
        return f"the code below {place} was not done {limit}"


def timeout(seconds, /) -> Timeout:
    """`with timeout(5):` raises TimeoutError if the code below is not done in so many seconds.

    None is no limit; 0 or less has expired. `Cancelled` is thrown at a wait of that code, and
    becomes TimeoutError where the `with` statement ends. A wait that has got something by then
    still returns it. `deadline` tells when, and may be set; `expired` whether it happened.
    Never suspends. Not for other threads than that of the run.
    """
    return new_timeout(INFINITY if seconds is None else seconds, INFINITY, True, False)


def move_on(seconds, /) -> Timeout:
    """As `timeout`, but when the time is over the program goes on behind the block, silently.

    Whether that happened says `expired` of `with move_on(5) as limit:`.
    Never suspends. Not for other threads than that of the run.
    """
    return new_timeout(INFINITY if seconds is None else seconds, INFINITY, True, True)


def deadline(at, /) -> Timeout:
    """As `timeout`, for a time on the clock of `clock()`: `deadline(clock() + 5)`.

    Never suspends. Not for other threads than that of the run.
    """
    return new_timeout(0.0, INFINITY if at is None else at, False, False)


def clock() -> float:
    """Now, in seconds, on the clock of this run; deadlines are times on it.

    Never suspends. Not for other threads than that of the run.
    """
    return require_scheduler("clock").reactor.now()


@cython.cfunc
def new_timeout(
    seconds: cython.double, at: cython.double, relative: cython.bint, silent: cython.bint
) -> Timeout:
    if seconds != seconds or at != at:
        raise ValueError("a timeout must be a number of seconds or None, not NaN")
    limit: Timeout = Timeout.__new__(Timeout)
    limit.seconds = seconds
    limit.at = at
    limit.relative = relative
    limit.silent = silent
    frame = PyEval_GetFrame()
    if frame != cython.NULL:
        limit.made_code = trueasync_frame_code(frame)
        limit.made_offset = trueasync_frame_offset(frame)
    return limit

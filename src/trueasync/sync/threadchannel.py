"""ThreadChannel: a Channel between native threads and the coroutines of any run."""

import cython
from cython.cimports.trueasync.sync.channel import Channel
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.wait import wait_at


@cython.final
@cython.cclass
class ThreadChannel(Channel):
    """As `Channel`, for coroutines of any run and native threads together.

    In a native thread `send` and `receive` block that thread, and `select` is not for it.
    A coroutine that waits here is in no deadlock as long as another thread lives.
    Safe from any thread.
    """

    def __cinit__(self):
        self.receivers = new_line(HANDLERS)
        self.senders = new_line(HANDLERS)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.int:
        return 0  # from wherever

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, turn: Turn, call: str) -> cython.int:
        wait_at(turn, None)
        return 0

"""SimpleQueue: `queue.SimpleQueue` for coroutines and native threads together.

It has no bound and no tasks, and a put never waits: a finalizer or a signal handler may put
something in at any moment, also in the middle of another put.
"""

from _queue import Empty
from types import GenericAlias

import cython
from cython.cimports.trueasync.scheduler.current import coroutine_here
from cython.cimports.trueasync.sync.items import Items
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.queue import may_wait
from cython.cimports.trueasync.sync.wait import wait_at


@cython.cclass
class SimpleQueue:
    """As `queue.SimpleQueue`: first in, first out, first come, first served.

    Safe from any thread.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __cinit__(self):
        self.items = Items()
        self.getters = new_line(HANDLERS)

    def put(self, item, block=True, timeout=None):
        """Put `item` in; `block` and `timeout` are those of other queues, and do nothing.

        Never suspends. Safe from any thread.
        """
        self.push(item)

    def put_nowait(self, item):
        """As `put`. Never suspends. Safe from any thread."""
        self.push(item)

    def get(self, block: cython.bint = True, timeout=None):
        """The next item; `queue.Empty` if there is none and no `block`, or not in time.

        Suspends the coroutine while there is none. Safe from any thread.
        """
        wait: cython.bint = may_wait(block, timeout)
        if self.items.count:
            return self.items.pop()
        if not wait:
            raise Empty
        return self.wait(timeout)

    def get_nowait(self):
        """As `get`, without a wait. Never suspends. Safe from any thread."""
        if self.items.count:
            return self.items.pop()
        raise Empty

    def qsize(self) -> int:
        """How many items lie in it. Never suspends. Safe from any thread."""
        return self.items.count

    def empty(self) -> bool:
        """Whether no item lies in it. Never suspends. Safe from any thread."""
        return self.items.count == 0

    def __repr__(self):
        kind = f"trueasync.{type(self).__qualname__}"
        details = f"{self.items.count} items, {self.getters.count} waiting"
        return f"<{kind} at {id(self):#x}, {details}>"

    # -- helpers of the above ---------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def push(self, item) -> cython.int:
        turn: Turn
        while self.getters.count:
            turn = self.getters.head()
            if turn.give(item, None):
                return 0
        return self.items.push(item)

    @cython.cfunc
    def wait(self, timeout):
        turn: Item = Item.__new__(Item)
        turn.queue = self
        if not wait_at(turn, timeout):
            raise Empty
        return turn.value

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_back(self, item) -> cython.int:
        """It was given to a thread that has left by an error: to the next, or to the front."""
        turn: Turn
        while self.getters.count:
            turn = self.getters.head()
            if turn.give(item, None):
                return 0
        return self.items.push_front(item)


@cython.final
@cython.cclass
class Item(Turn):
    """A wait for an item."""

    @cython.ccall
    def arm(self):
        if self.queue.items.count:
            self.fire_with(self.queue.items.pop(), None)
        else:
            self.queue.getters.add(self, coroutine_here())

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.queue.put_back(self.value)

    @cython.ccall
    def info(self) -> str:
        return f"an item from {self.queue!r}"

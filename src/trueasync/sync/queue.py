"""Queue: `queue.Queue` for coroutines and native threads together.

Rules of this file:
1. Who gets waits only while there is nothing, who puts only while there is no room. What
   comes is given to the first who waits, and is his from then on.
2. Without hooks each step is one for all threads, because nothing in it lets go of the GIL;
   it only keeps out of the way of a mutex that somebody holds. Where the hooks of a subclass
   keep the items, the mutex is held around them.
"""

from _queue import Empty
from collections import deque
from types import GenericAlias

import cython
from cython.cimports.trueasync.sync.condition import new_condition
from cython.cimports.trueasync.sync.exchange import NOTHING, Exchange, Getting, Joining, Putting
from cython.cimports.trueasync.sync.line import HANDLERS, Turn, new_line
from cython.cimports.trueasync.sync.lock import Lock
from cython.cimports.trueasync.sync.wait import wait_at

APPEND = cython.declare(object, deque.append)
APPEND_FIRST = cython.declare(object, deque.appendleft)
POP_FIRST = cython.declare(object, deque.popleft)


@cython.cclass
class Queue:
    """As `queue.Queue`: first in, first out, and first come, first served.

    With `maxsize` above 0, who puts waits while there are so many items. Safe from any thread.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __cinit__(self):
        self.mutex = Lock()
        self.getters = new_line(HANDLERS)
        self.putters = new_line(HANDLERS)
        self.joiners = new_line(HANDLERS)

    def __init__(self, maxsize: cython.Py_ssize_t = 0):
        self.maxsize = maxsize
        self.hooked = has_hooks(type(self))
        self._init(maxsize)

    # -- putting and getting --------------------------------------------------------------------

    def put(self, item, block: cython.bint = True, timeout=None):
        """Put `item` in; `queue.Full` if there is no room and no `block`, or not in time.

        If this raises, nobody has got it. `ShutDown` after `shutdown`.
        Suspends the coroutine while there is no room. Safe from any thread.
        """
        wait: cython.bint = may_wait(block, timeout)
        if not self.offer(item) and not (wait and self.wait_to_put(item, timeout)):
            raise error_of_queue("Full")

    def get(self, block: cython.bint = True, timeout=None):
        """The next item; `queue.Empty` if there is none and no `block`, or not in time.

        `ShutDown` after `shutdown`, when all items are gone.
        Suspends the coroutine while there is none. Safe from any thread.
        """
        wait: cython.bint = may_wait(block, timeout)
        item = self.take()
        if item is NOTHING and wait:
            item = self.wait_to_get(timeout)
        if item is NOTHING:
            raise Empty
        return item

    def put_nowait(self, item):
        """As `put`, without a wait. Never suspends. Safe from any thread."""
        return self.put(item, False)

    def get_nowait(self):
        """As `get`, without a wait. Never suspends. Safe from any thread."""
        return self.get(False)

    def qsize(self):
        """How many items lie in it. Never suspends. Safe from any thread."""
        return self.size()

    def empty(self) -> bool:
        """Whether no item lies in it. Never suspends. Safe from any thread."""
        return self.size() == 0

    def full(self) -> bool:
        """Whether a put would have to wait. Never suspends. Safe from any thread."""
        return 0 < self.maxsize <= self.size()

    # -- tasks, and the end -----------------------------------------------------------------------

    def task_done(self):
        """Say that the work on an item is done; `join` waits for as many as were put.

        Never suspends. Safe from any thread.
        """
        locked = self.enter()
        try:
            if self.unfinished_tasks <= 0:
                raise ValueError("task_done() called too many times")
            self.unfinished_tasks -= 1
            if self.unfinished_tasks == 0:
                self.joiners.give_all(None)
        finally:
            self.leave(locked)

    def join(self):
        """Wait until the work on every item is done.

        Suspends the coroutine. Safe from any thread.
        """
        turn: Joining
        while self.unfinished_tasks:
            turn = Joining.__new__(Joining)
            turn.queue = self
            wait_at(turn, None)

    def shutdown(self, immediate: cython.bint = False):
        """Let nothing more in, and no more out than lies in it; `immediate`: nothing at all.

        Who waits, and who comes later, gets `ShutDown`. `immediate` drops the items, as if
        the work on them were done. Never suspends. Safe from any thread.
        """
        locked = self.enter()
        try:
            self.is_shutdown = True
            if immediate:
                while self.size() > 0:
                    self.fetch()
                    self.unfinished_tasks -= self.unfinished_tasks > 0
                self.joiners.give_all(None)
            while self.getters.count:
                self.getters.head().give(None, error_of_queue("ShutDown"))
            while self.putters.count:
                self.putters.head().give(None, error_of_queue("ShutDown"))
        finally:
            self.leave(locked)

    # -- what a subclass may override; called with the mutex ------------------------------------

    def _init(self, maxsize):
        self.items = deque()

    def _qsize(self):
        return len(self.items)

    def _put(self, item):
        self.items.append(item)

    def _get(self):
        return self.items.popleft()

    # -- what programs use of queue.Queue besides --------------------------------------------

    @property
    def queue(self):
        """Its container; to change it, hold `mutex`."""
        return self.items

    @queue.setter
    def queue(self, items):
        self.hooked = self.hooked or type(items) is not deque
        self.items = items

    @property
    def all_tasks_done(self):
        """A condition with its mutex, notified when the work on every item is done."""
        if self.tasks_done is None:
            self.tasks_done = new_condition(self.mutex, self.joiners)
        return self.tasks_done

    def __repr__(self):
        kind = f"trueasync.{type(self).__qualname__}"
        waiting = self.getters.count + self.putters.count + self.joiners.count
        return f"<{kind} at {id(self):#x}, {self.size()} items, {waiting} waiting>"

    # -- one step each: in one go, or with the mutex ------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.bint:
        """Take the mutex, if that is needed; whether it was."""
        if not self.hooked and not self.mutex.held:
            return False
        return self.mutex.take() or self.mutex.wait(None)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def leave(self, locked: cython.bint) -> cython.int:
        return self.mutex.give_up() if locked else 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def offer(self, item) -> cython.bint:
        if not self.hooked and not self.mutex.held:
            return self.offer_now(item)
        locked = self.enter()
        try:
            return self.offer_now(item)
        finally:
            self.leave(locked)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def offer_now(self, item) -> cython.bint:
        turn: Turn
        if self.is_shutdown:
            raise error_of_queue("ShutDown")
        while self.getters.count and not self.hooked:
            turn = self.getters.head()
            if turn.claim():
                self.unfinished_tasks += 1
                turn.deliver(item, None)
                return True
        if self.maxsize > 0 and self.size() >= self.maxsize:
            return False
        self.store(item)
        self.unfinished_tasks += 1
        if self.getters.count:
            self.serve_getters()
        return True

    @cython.cfunc
    def take(self):
        if not self.hooked and not self.mutex.held:
            return self.take_now()
        locked = self.enter()
        try:
            return self.take_now()
        finally:
            self.leave(locked)

    @cython.cfunc
    def take_now(self):
        if self.size() > 0:
            item = self.fetch()
            if self.putters.count:
                self.serve_putters()
            return item
        if self.is_shutdown:
            raise error_of_queue("ShutDown")
        return NOTHING

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def serve_getters(self) -> cython.int:
        """Hooks have put something in: it goes to who waits."""
        turn: Turn
        while self.getters.count and self.size() > 0:
            turn = self.getters.head()
            if not turn.claim():
                continue
            try:
                item = self.fetch()
            except BaseException as error:
                turn.deliver(None, error)
                break
            turn.deliver(item, None)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def serve_putters(self) -> cython.int:
        """There is room: what they hold goes in."""
        turn: Putting
        while self.putters.count and (self.maxsize <= 0 or self.size() < self.maxsize):
            turn = cython.cast(Putting, self.putters.head())
            if not turn.claim():
                continue
            try:
                self.store(turn.item)
            except BaseException as error:
                turn.deliver(None, error)
                continue
            turn.item = None
            self.unfinished_tasks += 1
            turn.deliver(None, None)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_back(self, item) -> cython.int:
        """It was given to a thread that has left by an error: to the next, or to the front."""
        turn: Turn
        locked = self.enter()
        try:
            while self.getters.count:
                turn = self.getters.head()
                if turn.give(item, None):
                    return 0
            if self.hooked:
                self._put(item)
            else:
                APPEND_FIRST(self.items, item)
        finally:
            self.leave(locked)
        return 0

    # -- waiting ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait_to_put(self, item, timeout) -> cython.bint:
        turn: Putting = Putting.__new__(Putting)
        turn.queue = self
        turn.item = item
        done = self.wait(turn, timeout)
        if turn.error is not None:
            raise turn.error
        return done

    @cython.cfunc
    def wait_to_get(self, timeout):
        turn: Getting = Getting.__new__(Getting)
        turn.queue = self
        done = self.wait(turn, timeout)
        if turn.error is not None:
            raise turn.error
        return turn.value if done else NOTHING

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, turn: Exchange, timeout) -> cython.bint:
        """Wait for `turn`, that stands in line before the mutex is let go of."""
        if not self.enter():
            return wait_at(turn, timeout)
        turn.locked = True
        try:
            turn.attempt()
            done = turn.fired or wait_at(turn, timeout)
        finally:
            turn.unlock()
        if done and not turn.fired:
            # Cancelled while a hook in another thread makes what it was promised.
            new_condition(self.mutex, None).restore(None)
            self.mutex.give_up()
        return done

    # -- the container ------------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def size(self) -> cython.Py_ssize_t:
        return self._qsize() if self.hooked else len(self.items)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def store(self, item) -> cython.int:
        if self.hooked:
            self._put(item)
        else:
            APPEND(self.items, item)
        return 0

    @cython.cfunc
    @cython.inline
    def fetch(self):
        return self._get() if self.hooked else POP_FIRST(self.items)


@cython.cfunc
@cython.exceptval(-1, check=False)
def may_wait(block: cython.bint, timeout) -> cython.bint:
    if not block or timeout is None:
        return block
    if timeout < 0:
        raise ValueError(f"'timeout' must be a non-negative number, not {timeout}")
    return timeout > 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def has_hooks(kind: type) -> cython.bint:
    """Whether a subclass overrides how items are kept."""
    if kind is Queue:
        return False
    names = ("_init", "_qsize", "_put", "_get")
    return any(getattr(kind, name) is not getattr(Queue, name) for name in names)


@cython.cfunc
def error_of_queue(name: str):
    """One of the exceptions of `queue`, which is dear to import."""
    from . import queue_errors

    return getattr(queue_errors, name)()

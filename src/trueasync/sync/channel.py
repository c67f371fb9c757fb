"""Channel: values from coroutine to coroutine, in order, with or without a buffer.

Rules of this file:
1. A receiver waits only while there is nothing to receive, a sender only while no receiver
   waits and there is no room. So who comes new can overtake nobody.
2. Taking a value is one step: its sender is told, and the next sender moves up.
"""

import sys
from types import GenericAlias

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.trueasync.scheduler.coroutine import Coroutine
from cython.cimports.trueasync.scheduler.current import (
    coroutine_here,
    require_scheduler,
    scheduler_here,
)
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.items import Items
from cython.cimports.trueasync.sync.line import COROUTINES, Turn, new_line

from ..errors import ChannelClosed, UsageError
from ..scheduler.location import location_of_frame

NOTHING = object()


@cython.cclass
class Channel:
    """Values from coroutines to coroutines; each goes to one receiver, in order.

    With `capacity` 0 a sender waits until its value is taken; with more, that many values
    may lie in the channel, and only then senders wait.
    Not for other threads; `ThreadChannel` is.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __cinit__(self):
        self.items = Items()
        self.receivers = new_line(COROUTINES)
        self.senders = new_line(COROUTINES)

    def __init__(self, capacity: cython.Py_ssize_t = 0):
        if capacity < 0:
            raise ValueError(f"the capacity of a channel must be 0 or more, not {capacity}")
        self.capacity = capacity

    # -- sending and receiving --------------------------------------------------------------

    def send(self, value) -> None:
        """Give `value` to a receiver, or to the buffer.

        If this raises, nobody has got the value. `ChannelClosed` if the channel is closed.
        Suspends the coroutine while nobody takes it and there is no room. Not for other threads.
        """
        self.enter()
        if self.offer(value, None):
            return
        turn: Sending = new_sending(self, value)
        self.wait(turn, "Channel.send")
        if turn.error is not None:
            raise turn.error

    def receive(self):
        """The next value.

        `ChannelClosed` when the channel is closed and everything in it has been received.
        Suspends the coroutine while there is nothing. Not for other threads.
        """
        self.enter()
        value = self.take(None)
        if value is not NOTHING:
            return value
        if self.closed:
            raise self.ended()
        turn: Receiving = new_receiving(self)
        self.wait(turn, "Channel.receive")
        if turn.error is not None:
            raise turn.error
        return turn.value

    def try_send(self, value) -> bool:
        """Send `value` if that needs no wait; whether it did.

        `ChannelClosed` if the channel is closed. Never suspends. Not for other threads.
        """
        self.enter()
        return self.offer(value, None)

    def try_receive(self, default=None):
        """The next value if there is one, else `default`.

        `ChannelClosed` when the channel is closed and everything in it has been received.
        Never suspends. Not for other threads.
        """
        self.enter()
        value = self.take(None)
        if value is not NOTHING:
            return value
        if self.closed:
            raise self.ended()
        return default

    def sending(self, value) -> SendCase:
        """A case of `select`: send `value` here. Never suspends."""
        case: SendCase = SendCase.__new__(SendCase)
        case.channel = self
        case.value = value
        return case

    def __iter__(self):
        return self

    def __next__(self):
        """As `receive`; a channel that was closed without a reason ends the loop."""
        try:
            return self.receive()
        except ChannelClosed as error:
            if error.channel is not self or error.reason is not None:
                raise
        raise StopIteration

    # -- the end ------------------------------------------------------------------------------

    def close(self, reason=None) -> bool:
        """Let nothing more in; False if it was closed already, whose reason then stays.

        What lies in it can still be received. Senders that wait keep their values and get
        `ChannelClosed`, as do receivers. `reason`, a text or an exception, is for closes that
        are not the normal end: with one, loops over the channel raise, too.
        Never suspends. Not for other threads.
        """
        if self.closed:
            return False
        self.enter()
        self.closed = True
        self.reason = reason
        self.closed_at = location_of_frame(sys._getframe())
        while self.receivers.count:
            self.receivers.next_but(None).give(None, self.ended())
        while self.senders.count:
            self.senders.next_but(None).give(None, self.ended())
        return True

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        """Close it, with the error that ended the block as the reason."""
        self.close(error)

    @property
    def buffered(self) -> int:
        """How many values lie in it."""
        return self.items.count

    def __repr__(self):
        if self.closed:
            state = "closed" if self.reason is None else f"closed: {self.reason!r}"
        else:
            state = f"{self.receivers.count} receiving, {self.senders.count} sending"
        return f"<{type(self).__name__} {self.items.count}/{self.capacity}, {state}>"

    # -- helpers of the above -------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def enter(self) -> cython.int:
        scheduler: Scheduler = scheduler_here()
        run: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), scheduler)
        if run != self.run:
            self.change_run(run)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wait(self, turn: Turn, call: str) -> cython.int:
        """Wait at a line of this channel; for ThreadChannel, also in a native thread."""
        require_scheduler(call).wait(turn)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def change_run(self, run: cython.pointer(PyObject)) -> cython.int:
        if self.receivers.count or self.senders.count:
            raise UsageError(
                f"{self!r} was used outside the run whose coroutines wait at it; "
                "between threads and runs, use trueasync.ThreadChannel"
            )
        self.run = run
        return 0

    @cython.final
    @cython.cfunc
    def take(self, owner: Coroutine | None):
        """The next value, or NOTHING; none of `owner`'s own."""
        turn: Sending
        if self.items.count == 0:
            return NOTHING if self.senders.count == 0 else self.take_from_senders(owner)
        value = self.items.pop()
        # With capacity 0 it was handed back by a thread, and a sender waits for a receiver.
        if self.senders.count and self.items.count < self.capacity:
            moving_up = self.take_from_senders(owner)
            if moving_up is not NOTHING:
                self.items.push(moving_up)
        return value

    @cython.final
    @cython.cfunc
    def take_from_senders(self, owner: Coroutine | None):
        turn: Sending = self.senders.next_but(owner)
        while turn is not None:
            if turn.give(None, None):
                value = turn.item
                turn.item = None
                return value
            turn = self.senders.next_but(owner)
        return NOTHING

    @cython.final
    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def offer(self, value, owner: Coroutine | None) -> cython.bint:
        """Give `value` to a receiver other than `owner`, or to the buffer; whether it went."""
        turn: Turn
        if self.closed:
            raise self.ended()
        while self.receivers.count:
            turn = self.receivers.next_but(owner)
            if turn is None:
                break
            if turn.give(value, None):
                return True
        if self.items.count < self.capacity:
            self.items.push(value)
            return True
        return False

    @cython.final
    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_back(self, value) -> cython.int:
        """It was given to a thread that has left by an error: to the next, or to the front."""
        turn: Turn
        while self.receivers.count:
            turn = self.receivers.head()
            if turn.give(value, None):
                return 0
        return self.items.push_front(value)

    @cython.final
    @cython.cfunc
    def ended(self):
        """The error for who comes too late; a new one each time, for its traceback."""
        text = f"the channel was closed at {self.closed_at}"
        if self.reason is not None:
            text += f": {self.reason}"
        error = ChannelClosed(text)
        error.channel = self
        error.reason = self.reason
        if isinstance(self.reason, BaseException):
            error.__cause__ = self.reason
        return error


@cython.final
@cython.cclass
class SendCase:
    """A case of `select`, made by `Channel.sending(value)`. Not for other threads."""

    def __repr__(self):
        return f"<send {self.value!r} to {self.channel!r}>"


@cython.final
@cython.cclass
class Receiving(Turn):
    """A wait for a value; made for one wait."""

    @cython.ccall
    def arm(self):
        # Tested again: a select may have changed the channel since it looked.
        owner: Coroutine = coroutine_here()
        value = self.channel.take(owner)
        if value is not NOTHING:
            self.fire_with(value, None)
        elif self.channel.closed:
            self.fire_with(None, self.channel.ended())
        else:
            self.channel.receivers.add(self, owner)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def undo(self) -> cython.int:
        return self.channel.put_back(self.value) if self.error is None else 0

    @cython.ccall
    def info(self) -> str:
        return f"a value from {self.channel!r}"


@cython.final
@cython.cclass
class Sending(Turn):
    """A wait for somebody to take a value; made for one wait."""

    @cython.ccall
    def arm(self):
        owner: Coroutine = coroutine_here()
        if self.channel.closed:
            self.fire_with(None, self.channel.ended())
        elif self.channel.offer(self.item, owner):
            self.fire_with(None, None)
        else:
            self.channel.senders.add(self, owner)

    @cython.ccall
    def info(self) -> str:
        return f"somebody to take a value from {self.channel!r}"


@cython.cfunc
def new_receiving(channel: Channel) -> Receiving:
    turn: Receiving = Receiving.__new__(Receiving)
    turn.channel = channel
    return turn


@cython.cfunc
def new_sending(channel: Channel, value) -> Sending:
    turn: Sending = Sending.__new__(Sending)
    turn.channel = channel
    turn.item = value
    return turn

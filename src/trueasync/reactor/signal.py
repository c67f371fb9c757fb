"""Signal: fires when a signal arrives at the process."""

import signal as numbers

import cython
from cython.cimports.trueasync.reactor.base import ReactorEvent
from cython.cimports.trueasync.reactor.reactor import UvReactor

from ..errors import UsageError


@cython.final
@cython.cclass
class Signal(ReactorEvent):
    """One wait for one signal; it fires with the number. Only in the main thread.

    A listener that starts another one for the same number, when it is told, misses none.
    """

    @cython.ccall
    def arm(self):
        reactor: UvReactor = cython.cast(UvReactor, self.reactor)
        if not reactor.open:
            raise RuntimeError(f"{self.info()} cannot be waited for: its reactor is closed")
        reactor.signals.join(reactor, self)
        ReactorEvent.arm(self)

    @cython.ccall
    def disarm(self):
        ReactorEvent.disarm(self)
        reactor: UvReactor = cython.cast(UvReactor, self.reactor)
        reactor.signals.leave(reactor, self)

    @cython.ccall
    def info(self) -> str:
        return f"the signal {name_of(self.number)}"


@cython.cfunc
def new_signal(reactor: UvReactor, number: cython.int) -> Signal:
    if number not in numbers.valid_signals():
        raise ValueError(f"{number} is the number of no signal")
    if number in (numbers.SIGKILL, numbers.SIGSTOP):
        raise ValueError(f"{name_of(number)} is not for programs to hear: the system acts on it")
    if not reactor.signals.open:
        raise UsageError(
            f"{name_of(number)} can be waited for in the main thread only, where Python "
            "handles signals; wait for it there, and tell the other thread"
        )
    event: Signal = Signal.__new__(Signal)
    event.reactor = reactor
    event.number = number
    return event


@cython.cfunc
def name_of(number: cython.int) -> str:
    try:
        return numbers.Signals(number).name
    except ValueError:
        return f"number {number}"  # most of the real-time signals have no name

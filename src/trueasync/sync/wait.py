"""wait_at: wait for a turn, in a coroutine or in a native thread, whichever calls.

A coroutine waits in its scheduler, and others go on. A native thread waits at a native
lock, as it would at one of `threading`: signal handlers run meanwhile, and Ctrl-C ends it.
"""

import time
from _thread import allocate_lock

import cython
from cython.cimports.trueasync.events.event import Event, Listener
from cython.cimports.trueasync.scheduler.current import scheduler_here
from cython.cimports.trueasync.scheduler.scheduler import Scheduler
from cython.cimports.trueasync.sync.line import Turn


@cython.ccall
@cython.exceptval(-1, check=True)
def clock() -> cython.double:
    """Seconds, on the clock that timeouts run by here. Never suspends. Safe from any thread."""
    scheduler: Scheduler = scheduler_here()
    return time.monotonic() if scheduler is None else scheduler.reactor.now()


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_at(turn: Turn, timeout) -> cython.bint:
    """Wait until `turn` is given something; False if not within `timeout` seconds, or None."""
    scheduler: Scheduler = scheduler_here()
    if scheduler is None:
        return wait_in_thread(turn, timeout)
    if timeout is None:
        scheduler.wait(turn)
        return True
    return scheduler.wait(turn, scheduler.reactor.timer(timeout)) is turn


@cython.cfunc
@cython.exceptval(-1, check=False)
def wait_in_thread(turn: Turn, timeout) -> cython.bint:
    waker: ThreadWaker = ThreadWaker.__new__(ThreadWaker)
    gate = waker.gate = allocate_lock()
    gate.acquire()
    turn.start()
    if turn.fired:
        return True
    turn.add_listener(waker)
    try:
        get_through(gate, turn, waker, timeout)
    finally:
        waker.closed = True  # what comes later goes to the next in line
        turn.stop()
    return waker.claimed


@cython.cfunc
@cython.exceptval(-1, check=False)
def get_through(gate, turn: Turn, waker: ThreadWaker, timeout) -> cython.int:
    try:
        if timeout is None:
            gate.acquire()
        elif not gate.acquire(True, timeout) and waker.claimed:
            gate.acquire()  # its giver is about to fire it
    except BaseException:
        if waker.claimed:
            if not turn.fired:
                gate.acquire()
            turn.undo()
        raise
    return 0


@cython.final
@cython.cclass
class ThreadWaker(Listener):
    """One wait of one native thread."""

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        """Let the thread go on, if it still waits. Never suspends."""
        if not self.claim(event):
            return False
        self.wake(event)
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def claim(self, event: Event) -> cython.bint:
        if self.claimed or self.closed:
            return False
        self.claimed = True
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake(self, event: Event) -> cython.int:
        self.gate.release()
        return 0

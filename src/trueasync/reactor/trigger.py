"""Trigger: fires when another thread says so, as often as it says so.

`fire` only notes down and posts; the event itself fires in its own thread, from a poll.
The GIL makes each of these steps one.
"""

import cython
from cython.cimports.trueasync.reactor.base import ReactorEvent


@cython.final
@cython.cclass
class Trigger(ReactorEvent):
    """Any thread may `fire` it, any number of times; each time, who waits is woken after that.

    Fires that nobody has been woken for yet are one. One that came while nobody waited is
    kept for the next wait. After it has fired, `again` makes it ready for the next time.
    """

    def fire(self, value=None, error=None) -> bool:
        """Wake who waits, now or next, with a value or an error.

        False if that adds nothing: an earlier fire is still on its way, whose outcome
        counts, or the reactor is closed. Never suspends. Safe from any thread.
        """
        if self.signalled or self.reactor.closed:
            return False
        self.signalled = True
        self.sent_value = value
        self.sent_error = error
        if self.armed and not self.posted:
            self.posted = True  # before it is: the other thread may be faster
            try:
                self.reactor.post(self.deliver)
            except BaseException:
                self.posted = self.signalled = False
                raise
        return True

    @cython.ccall
    def again(self):
        """Forget the outcome, and be ready for the next fire; that may be there already.

        Look at what other threads have left for you after this, not before.
        Never suspends. Not for other threads.
        """
        if not self.fired:
            return
        self.fired = False
        self.value = self.error = None
        if self.starts:
            self.arm()  # somebody was woken by the last one, and has not run yet

    @cython.ccall
    def arm(self):
        ReactorEvent.arm(self)
        self.armed = True
        if self.signalled:
            self.deliver_now()

    @cython.ccall
    def disarm(self):
        # After `again` it may be armed once more than Event knows.
        if self.armed:
            self.armed = False
            ReactorEvent.disarm(self)

    @cython.ccall
    def deliver(self):
        """Posted: fire, if somebody waits. Never suspends."""
        self.posted = False
        if self.signalled and self.armed:
            self.deliver_now()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def deliver_now(self) -> cython.int:
        value = self.sent_value
        error = self.sent_error
        self.sent_value = self.sent_error = None
        self.signalled = False
        self.fire_with(value, error)
        return 0

    @cython.ccall
    def info(self) -> str:
        return "a trigger that another thread fires"

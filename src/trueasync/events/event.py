"""Event: anything a coroutine can wait for, and Listener: who is told of it.

Rules of this file:
1. An event resumes nobody. It tells its listeners, and they put coroutines on the ready queue.
2. Nothing here knows a scheduler or a reactor.
"""

import cython


@cython.cclass
class Listener:
    """Who is told when an event fires; once, by the first of its events that does.

    Not for other threads.
    """

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def notify(self, event: Event) -> cython.bint:
        """Hear that `event` fired; False means "not taken", and the giver asks the next.

        Never suspends.
        """
        raise NotImplementedError("a Listener must say what to do when an event fires")


@cython.cclass
class Event:
    """Something that happens once: a timer runs out, a coroutine finishes.

    Before `start` an event is not active; starts are counted, and only the first arms it
    and only the last stop disarms it.
    After `fire` it keeps its outcome and replays it to whoever asks later.
    Not for other threads.
    """

    @cython.ccall
    def hide(self):
        """Count it neither for exit nor for deadlock; before the start. Never suspends."""
        if self.starts:
            raise RuntimeError(f"{self.info()} has been started; hide it before that")
        self.hidden = True

    @cython.ccall
    def start(self):
        """Become active; counted. Never suspends."""
        self.starts += 1
        if self.starts == 1 and not self.fired:
            try:
                self.arm()
            except BaseException:
                self.starts = 0  # it is not armed: nobody shall disarm it
                raise

    @cython.ccall
    def stop(self):
        """Take one `start` back; more stops than starts do nothing. Never suspends."""
        if self.starts == 0:
            return
        self.starts -= 1
        if self.starts == 0 and not self.fired:
            self.disarm()

    @cython.ccall
    def arm(self):
        """Ask the outside world to report; for subclasses, once on 0 -> 1. Never suspends."""

    @cython.ccall
    def disarm(self):
        """Ask no longer; for subclasses, once for every `arm`. Never suspends."""

    def fire(self, value=None, error=None) -> bool:
        """Report that it happened, with a value or an error; False if it had already.

        Never suspends.
        """
        return self.fire_with(value, error)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def fire_with(self, value, error) -> cython.bint:
        if self.fired:
            return False
        self.fired = True
        self.value = value
        self.error = error
        try:
            if self.starts:
                self.disarm()
        finally:
            self.tell()  # who waits is not to suffer from that
        return True

    @cython.cfunc
    def tell(self):
        # Taken off first: listeners may come and go while the others are being told.
        first: Listener = self.first
        others: list = self.others
        self.first = None
        self.others = None
        self.withdrawn = 0
        if others is not None:
            self.tell_others([first, *others] if first is not None else others)
        elif first is not None and not first.closed:
            first.notify(self)

    @cython.cfunc
    def tell_others(self, others: list):
        failure = None
        listener: Listener
        for listener in others:
            if listener.closed:
                continue
            try:
                listener.notify(self)
            except BaseException as error:
                # The others wait too: they are told before the first failure is raised.
                if failure is None:
                    failure = error
        if failure is not None:
            raise failure

    @cython.ccall
    def add_listener(self, listener: Listener):
        """Tell `listener` when this fires; at once if it has fired. Never suspends."""
        if self.fired:
            listener.notify(self)
        elif self.first is None and self.others is None:
            self.first = listener
        elif self.others is None:
            self.others = [listener]
        else:
            self.others.append(listener)

    @cython.ccall
    def remove_listener(self, listener: Listener):
        """Close `listener`; the rest keep their order. Never suspends."""
        listener.closed = True
        if self.first is listener:
            self.first = None
        elif self.others is not None:
            # Searching would cost O(n) each; sweeping when half are closed costs O(1).
            self.withdrawn += 1
            if self.withdrawn * 2 > len(self.others):
                self.sweep()

    @cython.cfunc
    def sweep(self):
        listener: Listener
        self.others = [listener for listener in self.others if not listener.closed] or None
        self.withdrawn = 0

    @cython.ccall
    def outcome(self):
        """The value it fired with, or raises the error. Never suspends."""
        if self.error is not None:
            raise self.error
        return self.value

    @cython.ccall
    def info(self) -> str:
        """What this is, in words, for reports. Never suspends."""
        return type(self).__name__.lower()

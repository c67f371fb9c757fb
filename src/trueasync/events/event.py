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

    # Where other threads give: first who gets it, in any thread, then the rest in its own.

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def claim(self, event: Event) -> cython.bint:
        """Whether it takes `event`, which is about to fire; `wake` follows. Any thread."""
        return not self.closed

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def wake(self, event: Event) -> cython.int:
        """Act on the event it has claimed, which has fired now."""
        self.notify(event)
        return 0


@cython.final
@cython.cclass
class Listeners:
    """All but the first of those who listen to one event, in the order they came."""

    def __init__(self):
        self.items = []

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def add(self, listener: Listener) -> cython.int:
        self.items.append(listener)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def remove(self) -> cython.int:
        """One of them has been closed; 0 if none is left."""
        # Searching would cost O(n) each; sweeping when half are closed costs O(1).
        self.withdrawn += 1
        if self.withdrawn * 2 > len(self.items):
            listener: Listener
            self.items = [listener for listener in self.items if not listener.closed]
            self.withdrawn = 0
        return 1 if self.items else 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def tell(self, event: Event) -> cython.int:
        """Tell all of them, and then raise the first error of one that was told."""
        failure = None
        listener: Listener
        for listener in self.items:
            if listener.closed:
                continue
            try:
                listener.notify(event)
            except BaseException as error:
                if failure is None:
                    failure = error  # the others wait too
        if failure is not None:
            raise failure
        return 0


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
        others: Listeners = self.others
        self.first = None
        self.others = None
        if others is None:
            if first is not None and not first.closed:
                first.notify(self)
            return
        if first is not None:
            others.items.insert(0, first)
        others.tell(self)

    @cython.ccall
    def add_listener(self, listener: Listener):
        """Tell `listener` when this fires; at once if it has fired. Never suspends."""
        if self.fired:
            listener.notify(self)
        elif self.others is not None:
            self.others.add(listener)
        elif self.first is None:
            self.first = listener
        else:
            self.others = Listeners()
            self.others.add(listener)

    @cython.ccall
    def remove_listener(self, listener: Listener):
        """Close `listener`; the rest keep their order. Never suspends."""
        listener.closed = True
        if self.first is listener:
            self.first = None
        elif self.others is not None and self.others.remove() == 0:
            self.others = None

    @cython.ccall
    def outcome(self):
        """The value it fired with, or raises the error. Never suspends."""
        if self.error is not None:
            raise self.error
        return self.value

    def failed(self) -> bool:
        """Whether it fired with an error; does not count as taking that. Never suspends."""
        return self.error is not None

    @cython.ccall
    def info(self) -> str:
        """What this is, in words, for reports. Never suspends."""
        return type(self).__name__.lower()

    @cython.ccall
    def held_up_by(self) -> list:
        """The coroutines that hold it up: it cannot fire before each of them has gone on.

        None where nobody can say, and where it is the outside world that fires it. A report
        finds cycles by this. Never suspends.
        """
        return None
